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

import { allOf, hasRoom } from '../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { RelatedPageAnswer } from '../../schemas/answers/list-answers.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { clusterCopies } from '../copies/cluster-copies.ts';
import { type CopyFigures, containmentOfResult, copyFigures } from '../copies/copy-figures.ts';
import { copiesOfWording, type FoundCopies } from '../copies/copy-search.ts';
import { type CopySource, copySource } from '../copies/copy-source.ts';
import { NO_TEMPLATE_COPIES, templateCopies } from '../copies/template-copies.ts';
import { pageWording, type Wording, wordingFigures } from '../copies/wording.ts';
import { listShown } from '../passages/list-cards.ts';
import type { FoundList } from './found-list.ts';
import { pageFilter, type Subject, type SubjectPage } from './selection/page-filter.ts';
import { selectNeighbors } from './selection/selection.ts';

/** Items compared by their texts together. */
const PIECE = 50;
/** Words read for one piece; what is over is compared by its sketch. */
const MAX_PIECE_TOKENS = 400_000;
/** To make all shingles of a text, a word. */
const TOKEN_US = 0.1;
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
  /** Its first page; undefined where nothing is listed. */
  readonly first: CopyItem | undefined;
}

/** Errors  Problem `relation-not-in-index`. */
export async function copyList(
  source: CopySource,
  asked: AskedCopies,
  narrowing: Narrowing,
  offset: number,
): Promise<CopyList> {
  const { reads } = source;
  const { limit, min_similarity: least } = narrowing;
  const found = await copiesOf(source, asked, narrowing);
  const from = offset - (offset % PIECE);
  const to = Math.ceil((offset + limit) / PIECE) * PIECE;
  const wide = { ...narrowing, limit: to - from, min_similarity: Math.max(0, least - MARGIN) };
  const candidates = {
    stored: found.span,
    complete: true,
    nearest: async () => found.span,
    hopeless: () => hopelessList(asked),
  };
  const filter = await pageFilter(reads, asked.subject, narrowing);
  const { span, more, emptyReason } = await selectNeighbors(
    { reads, narrowing: wide, offset: from },
    candidates,
    filter,
  );
  const compared: CopyItem[] = [];
  for (let start = span.start; start < span.end; start += PIECE) {
    compared.push(...(await comparePiece(source, asked.wording, span, start)));
  }
  const isNear = ({ figures }: CopyItem) => sixDecimals(figures.resemblance.value) >= least;
  const end = offset - from + limit;
  const shown = compared.slice(offset - from, end).filter(isNear);
  const isNone = offset === 0 && shown.length === 0;
  const reason = isNone ? (emptyReason ?? 'below_threshold') : null;
  const template =
    reason === 'below_threshold' && narrowing.clustering === undefined
      ? await templateCopies(source, asked.wording, asked.pageId, least)
      : NO_TEMPLATE_COPIES;
  return {
    items: await copyItems(reads, asked.subject, shown, narrowing),
    pageIds: shown.map(({ pageId }) => pageId),
    first: shown[0],
    more: more || compared.slice(end).some(isNear),
    emptyReason: template.count > 0 ? 'template' : reason,
    tail: {
      complete: found.complete && template.complete,
      left_out: found.leftOutCount + template.count + template.uncomparedCount,
    },
  };
}

/**
 * Where the copies come from: the cluster that is asked for; the stored list of a page, unless it was cut at the limit of
 * the index, or a page that waits for a fold may be a copy; a search for all else.
 */
async function copiesOf(
  source: CopySource,
  { wording, pageId, exact }: AskedCopies,
  { by, clustering }: Narrowing,
): Promise<FoundCopies> {
  const { reads, relation } = source;
  if (clustering !== undefined && pageId >= 0) {
    return clusterCopies(source, pageId, wording, clusteringLevel(reads.facts, by, clustering));
  }
  const isAsStored =
    pageId >= 0 &&
    !exact &&
    (await isCurrentText(reads, pageId, wording)) &&
    !reads.isNearWaiting(wording.sketch.keys);
  if (isAsStored) {
    const stored = allOf(await reads.neighbors(relation.id, pageId));
    if (hasRoom(stored, relation.neighborLimit)) return { span: stored, complete: true, leftOutCount: 0 };
  }
  return copiesOfWording(source, wording, { skip: pageId, exact });
}

/** Why nothing can be a copy of what is asked for. */
async function hopelessList({ subject, wording }: AskedCopies) {
  if (await subject.isGone()) return 'gone';
  return wording.sketch.shingleCount > 0 ? null : 'too_little_text';
}

/** Whether a wording is what the page of its URL says in the index. */
async function isCurrentText(reads: Reads, pageId: number, wording: Wording): Promise<boolean> {
  const version = await reads.currentText(pageId);
  return (version?.shingleDigest ?? null) === wording.shingleDigest;
}

async function comparePiece(
  source: CopySource,
  wording: Wording,
  { ids, end }: NeighborSpan,
  start: number,
): Promise<CopyItem[]> {
  const pageIds = [...ids.subarray(start, Math.min(end, start + PIECE))];
  const pages = await Promise.all(pageIds.map((pageId) => pageWording(source, pageId)));
  const words = pages.reduce((sum, { tokenCount }) => sum + tokenCount, wording.tokenCount);
  source.reads.work.spend(Math.min(words, MAX_PIECE_TOKENS) * TOKEN_US);
  let tokens = wording.tokenCount;
  const items = pages.map(async (page, i): Promise<CopyItem> => {
    tokens += page.tokenCount;
    const figures =
      tokens <= MAX_PIECE_TOKENS
        ? await wordingFigures(wording, page)
        : copyFigures(wording.sketch, page.sketch);
    return { pageId: pageIds[i]!, figures };
  });
  const compared = await Promise.all(items);
  const atHand = compared.filter(({ pageId }) => !source.reads.isOutOfReach(pageId));
  return atHand.sort(
    (x, y) => y.figures.resemblance.value - x.figures.resemblance.value || x.pageId - y.pageId,
  );
}

/** The items of a list of copies: as of any list, and with the containment of each in the other. */
async function copyItems(
  reads: Reads,
  subject: Subject,
  items: readonly CopyItem[],
  shown: Pick<Narrowing, 'cards' | 'fields'>,
): Promise<RelatedPageAnswer[]> {
  const pageIds = items.map(({ pageId }) => pageId);
  const heads = await reads.heads(pageIds);
  const said = await listShown(reads, shown, pageIds, heads);
  return items.map(({ figures }, i) => {
    const { url, title, fetched, siteId } = heads[i]!;
    return {
      url,
      title,
      fetched,
      similarity: sixDecimals(figures.resemblance.value),
      measure: figures.measure,
      containment: containmentOfResult(figures),
      same_site: siteId === subject.siteId,
      ...said?.[i],
    };
  });
}

/** A page of the index as that of which copies are asked. */
export async function askedPage(
  reads: Reads,
  subject: SubjectPage,
  exact = false,
): Promise<{ source: CopySource; asked: AskedCopies }> {
  const source = copySource(reads);
  const { pageId } = subject;
  const [wording] = await Promise.all([
    pageWording(source, pageId),
    // Asked for with them; `copiesOf` takes it.
    reads.readAhead > 1 && reads.neighbors(source.relation.id, pageId),
  ]);
  return { source, asked: { wording, pageId, subject, exact } };
}
