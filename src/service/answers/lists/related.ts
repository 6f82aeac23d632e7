/** The body of GET /related, put together from parts that are JSON already. */

import type { Bag } from '../../../features/bag.ts';
import type { NeighbourSpan } from '../../../join/pairs/neighbour-table.ts';
import type { Relation } from '../../../relations/relation.ts';
import { type RelationName, relationOf } from '../../../relations/relations.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Generation } from '../../held/generation.ts';
import { beginAnswer, type JsonWriter } from '../../http/json-writer.ts';
import { makeCursor } from '../../http/request-key.ts';
import type { Measure } from '../../schemas/fields.ts';
import type { EmptyReason } from '../../schemas/list-answers.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import type { CopySource } from '../copies/copy-source.ts';
import { writeCard } from '../pages/card-fields.ts';
import { sharedTerms } from '../pages/terms.ts';
import { storedCandidates } from './candidates.ts';
import { type AskedCopies, askedPage, type CopyList, listCopies, writeCopyItems } from './copy-list.ts';
import { type LinkList, linkList, linkWhy } from './link-list.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { whyThere } from './rank.ts';
import { type Selection, selectNeighbours } from './selection.ts';

/** A page of the index as the one whose neighbours are listed. */
export function pageSubject(generation: Generation, pageId: number): Subject {
  const { catalog, reader } = generation;
  const site = catalog.site(pageId);
  return {
    sameSite: (other) => catalog.site(other) === site,
    links: () => reader.links(pageId),
    twins: () => [pageId],
  };
}

/**
 * Errors  Problem `relation-not-in-index`, and for `exclude` what `canonicalParameter` throws.
 *
 * `hash` names the request (`textHash`) and goes into the cursor of the next page.
 */
export function relatedAnswer(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): JsonWriter {
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  writePageList(json, generation, pageId, narrowing, offset, hash);
  return json.text('}');
}

/** Lists of a page of the index, by how the neighbours of the relation are found. */
const PAGE_LISTS: Readonly<
  Record<Relation['neighbours'], { write: typeof writePageList; first: typeof relatedPages }>
> = {
  'nearest bags': { write: writeNearest, first: firstNearest },
  'shared shingles': { write: writeCopies, first: firstCopies },
  'shared citers': { write: writeLinked, first: firstLinked },
  'shared targets': { write: writeLinked, first: firstLinked },
  'vicinity graph': { write: writeLinked, first: firstLinked },
};

/** The list of a page of the index, as it is stored or searched for where filters or the index's limit ask for it. */
export function writePageList(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): void {
  const { write } = PAGE_LISTS[relationOf(narrowing.by).neighbours];
  write(json, generation, pageId, narrowing, offset, hash);
}

/** The first pages of the list, and why there is none. */
export function relatedPages(generation: Generation, pageId: number, narrowing: Narrowing): FirstPages {
  return PAGE_LISTS[relationOf(narrowing.by).neighbours].first(generation, pageId, narrowing);
}

interface FirstPages {
  readonly pageIds: readonly number[];
  readonly emptyReason: EmptyReason | null;
}

function writeNearest(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): void {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  const selection = selectRelated(generation, relation, subject, pageId, narrowing, offset);
  const whys = narrowing.explain
    ? explain(generation, relation, generation.reader.bag(relation.id, pageId), selection.list, pageId)
    : null;
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writeItems(json, generation, relation, subject, selection.span, whys, narrowing.cards),
  );
}

function selectRelated(
  generation: Generation,
  relation: RelationRecord,
  subject: Subject,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): Selection & { readonly list: NeighbourSpan } {
  // Names what is wrong with it: this relation has no clusterings.
  if (narrowing.clustering !== undefined) clusteringLevel(generation, relation.name, narrowing.clustering);
  const filter = pageFilter(generation, subject, narrowing);
  const isFiltered = filter.accept !== null || filter.copies !== null || narrowing.max_per_site !== undefined;
  const isPlain = !isFiltered && narrowing.min_similarity === 0 && !narrowing.explain;
  const count = isPlain ? offset + narrowing.limit + 1 : Infinity;
  const candidates = storedCandidates(generation, relation, pageId, narrowing, count);
  const selection = selectNeighbours(generation, candidates, filter, narrowing, offset);
  return { ...selection, list: candidates.stored };
}

function firstNearest(generation: Generation, pageId: number, narrowing: Narrowing): FirstPages {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  const { span, emptyReason } = selectRelated(generation, relation, subject, pageId, narrowing, 0);
  return { pageIds: [...span.ids.subarray(span.start, span.end)], emptyReason };
}

function writeCopies(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): void {
  const { source, asked } = askedPage(generation, pageId, pageSubject(generation, pageId));
  writeCopyList(json, generation, source, asked, narrowing, offset, hash);
}

function firstCopies(generation: Generation, pageId: number, narrowing: Narrowing): FirstPages {
  const { source, asked } = askedPage(generation, pageId, pageSubject(generation, pageId));
  const { items, emptyReason } = listCopies(generation, source, asked, narrowing, 0);
  return { pageIds: items.map((item) => item.pageId), emptyReason };
}

function writeLinked(
  json: JsonWriter,
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): void {
  const list = linkList(generation, pageId, narrowing, offset);
  writeLinkList(json, generation, pageSubject(generation, pageId), list, narrowing, offset, hash);
}

function firstLinked(generation: Generation, pageId: number, narrowing: Narrowing): FirstPages {
  const list = linkList(generation, pageId, narrowing, 0);
  const { span, emptyReason } = selectLinked(generation, pageSubject(generation, pageId), list, narrowing, 0);
  return { pageIds: [...span.ids.subarray(span.start, span.end)], emptyReason };
}

function selectLinked(
  generation: Generation,
  subject: Subject,
  list: LinkList,
  narrowing: Narrowing,
  offset: number,
): Selection {
  if (narrowing.clustering !== undefined) clusteringLevel(generation, narrowing.by, narrowing.clustering);
  const filter = pageFilter(generation, subject, narrowing);
  return selectNeighbours(generation, list.candidates, filter, narrowing, offset);
}

export function writeLinkList(
  json: JsonWriter,
  generation: Generation,
  subject: Subject,
  list: LinkList,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): void {
  const { by, explain, cards } = narrowing;
  const selection = selectLinked(generation, subject, list, narrowing, offset);
  const whys = explain ? linkWhy(generation, list) : null;
  writeList(json, generation, { name: by }, selection, narrowing, offset, hash, () =>
    writeItems(json, generation, list, subject, selection.span, whys, cards),
  );
}

/** A list of copies: with it whether the search was cut short. */
export function writeCopyList(
  json: JsonWriter,
  generation: Generation,
  source: CopySource,
  asked: AskedCopies,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): CopyList {
  const list = listCopies(generation, source, asked, narrowing, offset);
  writeList(json, generation, source.relation, list, narrowing, offset, hash, () =>
    writeCopyItems(json, generation, asked.subject, list.items, narrowing.cards),
  );
  json.text(`,"complete":${list.complete},"left_out":${list.leftOutCount}`);
  return list;
}

/** From `,"by":` to `"next":`. */
export function writeList(
  json: JsonWriter,
  generation: Generation,
  relation: { readonly name: RelationName },
  selection: Pick<Selection, 'more' | 'emptyReason'>,
  narrowing: Narrowing,
  offset: number,
  hash: string,
  writeItems: () => void,
): void {
  json.text(`,"by":"${relation.name}","generation":"${generation.id}","related":[`);
  writeItems();
  const reason = selection.emptyReason === null ? 'null' : `"${selection.emptyReason}"`;
  const next = selection.more ? `"${makeCursor(generation.id, hash, offset + narrowing.limit)}"` : 'null';
  json.text(`],"empty_reason":${reason},"next":${next}`);
}

interface Ending {
  readonly last: Buffer;
  /** The same, and the beginning of the next item. */
  readonly next: Buffer;
}

/** What stands behind a similarity, by measure. */
const SAME_SITE = endings(true);
const ELSEWHERE = endings(false);

function endings(isSameSite: boolean): Record<Measure, Ending> {
  const ending = (measure: Measure) => {
    const text = `,"measure":"${measure}","same_site":${isSameSite}`;
    return { last: Buffer.from(text), next: Buffer.from(`${text}},{`) };
  };
  return { exact: ending('exact'), estimate: ending('estimate'), score: ending('score') };
}

/**
 * Says of a page of a list why it is there: what it shares with the subject, whose bag that is, and its place among the
 * nearest pages, `list`; `self` is the subject's page id, -1 for none.
 */
export function explain(
  generation: Generation,
  relation: RelationRecord,
  bag: Bag,
  list: NeighbourSpan,
  self: number,
): (pageId: number) => string {
  const place = relation.rank === 'votes' ? whyThere(generation, relation, list, self) : () => null;
  return (pageId) => {
    const there = place(pageId);
    const score = there === null ? '' : `,"score":${there.score}`;
    const why = { ...sharedTerms(generation, relation, bag, pageId), ...(there && { near: there.near }) };
    return `${score},"why":${JSON.stringify(why)}`;
  };
}

/** `whys` where the answer is to be explained. As few pieces as can be: each costs a call. */
export function writeItems(
  json: JsonWriter,
  generation: Generation,
  relation: { readonly measure: Measure },
  subject: Subject,
  span: NeighbourSpan,
  whys: ((pageId: number) => string) | null,
  cards: boolean,
): void {
  const { catalog } = generation;
  const { ids, shared, total, start, end } = span;
  if (start === end) return;
  const here = SAME_SITE[relation.measure];
  const elsewhere = ELSEWHERE[relation.measure];
  catalog.touch(span);
  json.text('{');
  for (let at = start; at < end; at++) {
    const pageId = ids[at]!;
    catalog.writeItem(json, pageId);
    json.similarity(shared[at]!, total[at]!);
    const ending = subject.sameSite(pageId) ? here : elsewhere;
    if (whys === null && !cards) {
      json.bytes(at < end - 1 ? ending.next : ending.last);
      continue;
    }
    json.bytes(ending.last);
    if (whys !== null) json.text(whys(pageId));
    if (cards) writeCard(json, generation, pageId);
    if (at < end - 1) json.text('},{');
  }
  json.text('}');
}
