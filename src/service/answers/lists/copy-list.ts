/**
 * Lists of copies: of a page of the index and of a document alike.
 *
 * What is stored, or found by `copiesOfWording`, is in the order of the sketches. What an answer shows is compared again
 * by the texts where the index keeps them, piece by piece of the list, and sorted within each piece: so a figure is
 * that of POST /compare, and pages of one list follow each other without gap or overlap. Between pieces the order is as exact
 * as the sketches, some .02.
 *
 * Cost  50-100 ns a word of each page shown and of the others of its piece, at most 30 ms a piece.
 */
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import type { Generation } from '../../held/generation.ts';
import type { JsonWriter } from '../../http/json-writer.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { clusterCopies } from '../copies/cluster-copies.ts';
import { type CopyFigures, containmentOfResult, copyFigures } from '../copies/copy-figures.ts';
import { copiesOfWording, type FoundCopies } from '../copies/copy-search.ts';
import { type CopySource, copySource } from '../copies/copy-source.ts';
import { pageWording, type Wording, wordingFigures } from '../copies/wording.ts';
import { writeCard } from '../pages/card-fields.ts';
import type { FoundList } from './found-list.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { selectNeighbors } from './selection.ts';

/** Items compared by their texts together. */
const PIECE = 50;
/** Words read for one piece; what is over is compared by its sketch. */
const MAX_PIECE_TOKENS = 400_000;
/** What a figure of the texts may lie above that of the sketches. */
const MARGIN = 0.1;

/** What copies are asked of. */
interface AskedCopies {
  readonly wording: Wording;
  /** Of the page that it is, or is known as; -1 for none. Never listed. */
  readonly pageId: number;
  readonly subject: Subject;
  readonly exact: boolean;
}

interface CopyItem {
  readonly pageId: number;
  readonly figures: CopyFigures;
}

/** A list of copies, as far as it is asked for. */
interface CopyList extends FoundList {
  readonly items: readonly CopyItem[];
}

/** Errors  Problem `relation-not-in-index`. */
export function copyList(
  generation: Generation,
  source: CopySource,
  asked: AskedCopies,
  narrowing: Narrowing,
  offset: number,
): CopyList {
  const { limit, min_similarity: least } = narrowing;
  const found = copiesOf(generation, source, asked, narrowing);
  const from = offset - (offset % PIECE);
  const to = Math.ceil((offset + limit) / PIECE) * PIECE;
  const wide = { ...narrowing, limit: to - from, min_similarity: Math.max(0, least - MARGIN) };
  const candidates = {
    stored: found.span,
    complete: true,
    nearest: () => found.span,
    hopeless: () => hopelessList(generation, asked),
  };
  const filter = pageFilter(generation, asked.subject, narrowing);
  const { span, more, emptyReason } = selectNeighbors(generation, candidates, filter, wide, from);
  const compared: CopyItem[] = [];
  for (let start = span.start; start < span.end; start += PIECE) {
    compared.push(...comparePiece(generation, source, asked.wording, span, start));
  }
  const items = compared
    .slice(offset - from, offset - from + limit)
    .filter(({ figures }) => figures.resemblance.value >= least);
  const isNone = offset === 0 && items.length === 0;
  return {
    items,
    more: more || compared.length > offset - from + limit,
    emptyReason: isNone ? (emptyReason ?? 'below_threshold') : null,
    pageIds: () => items.map((item) => item.pageId),
    writeItems: (json) => writeItems(json, generation, asked.subject, items, narrowing.cards),
    tail: `,"complete":${found.complete},"left_out":${found.leftOutCount}`,
  };
}

/**
 * Where the copies come from: the cluster that is asked for; the stored list of a page, unless it was cut at the limit of
 * the index; a search for all else.
 */
function copiesOf(
  generation: Generation,
  source: CopySource,
  { wording, pageId, exact }: AskedCopies,
  { by, clustering }: Narrowing,
): FoundCopies {
  if (clustering !== undefined && pageId >= 0) {
    return clusterCopies(generation, source, pageId, wording, clusteringLevel(generation, by, clustering));
  }
  const isAsStored = pageId >= 0 && !exact && isCurrentText(source, pageId, wording);
  if (isAsStored) {
    const stored = generation.catalog.neighbors(source.relation, pageId);
    if (stored.end - stored.start < source.relation.neighborLimit)
      return { span: stored, complete: true, leftOutCount: 0 };
  }
  return copiesOfWording(generation, source, wording, { skip: pageId, accept: null, exact });
}

/** Why nothing can be a copy of what is asked for. */
function hopelessList(generation: Generation, { pageId, wording }: AskedCopies) {
  const isComparable = wording.sketch.shingleCount > 0;
  if (pageId >= 0 && generation.reader.isGone(pageId)) return 'gone';
  return isComparable ? null : 'too_little_text';
}

/** Whether a wording is what the page of its URL says in the index. */
function isCurrentText({ versions }: CopySource, pageId: number, wording: Wording): boolean {
  const versionId = versions.current(pageId);
  return versionId < 0 || versions.get(versionId).shingleDigest === wording.shingleDigest;
}

function comparePiece(
  generation: Generation,
  source: CopySource,
  wording: Wording,
  { ids, end }: NeighborSpan,
  start: number,
): CopyItem[] {
  let tokens = wording.tokenCount;
  const items: CopyItem[] = [];
  for (let at = start; at < Math.min(end, start + PIECE); at++) {
    const page = pageWording(generation, source, ids[at]!);
    tokens += page.tokenCount;
    const figures =
      tokens <= MAX_PIECE_TOKENS ? wordingFigures(wording, page) : copyFigures(wording.sketch, page.sketch);
    items.push({ pageId: ids[at]!, figures });
  }
  return items.sort(
    (x, y) => y.figures.resemblance.value - x.figures.resemblance.value || x.pageId - y.pageId,
  );
}

/** The items of a list of copies: as of any list, and with the containment of each in the other. */
function writeItems(
  json: JsonWriter,
  generation: Generation,
  subject: Subject,
  items: readonly CopyItem[],
  cards: boolean,
): void {
  for (const [i, { pageId, figures }] of items.entries()) {
    json.text(i > 0 ? ',{' : '{');
    generation.catalog.writeItem(json, pageId);
    json.text(
      `${sixDecimals(figures.resemblance.value)},"measure":"${figures.measure}"` +
        `,"containment":${JSON.stringify(containmentOfResult(figures))},"same_site":${subject.sameSite(pageId)}`,
    );
    if (cards) writeCard(json, generation, pageId);
    json.text('}');
  }
}

/** A page of the index as that of which copies are asked. */
export function askedPage(
  generation: Generation,
  pageId: number,
  subject: Subject,
  exact = false,
): { source: CopySource; asked: AskedCopies } {
  const source = copySource(generation);
  const wording = pageWording(generation, source, pageId);
  return { source, asked: { wording, pageId, subject, exact } };
}
