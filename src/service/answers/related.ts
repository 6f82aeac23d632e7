/** The body of GET /related: one string, put together from parts that are JSON already. */

import type { Bag } from '../../features/bag.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { NeighbourSpan } from '../catalog.ts';
import type { Generation } from '../generation.ts';
import { makeCursor } from '../request-key.ts';
import type { Narrowing } from '../schemas/parameters.ts';
import { relatedCandidates } from './candidates.ts';
import { copyItemsJson } from './copy-items.ts';
import { copySource, ownText } from './copy-source.ts';
import { sharedTerms } from './explain.ts';
import { pageFilter, type Subject } from './page-filter.ts';
import { type Selection, selectNeighbours } from './selection.ts';
import { similarityText } from './similarity-text.ts';

/** A page of the index as the one whose neighbours are listed. */
export function pageSubject(generation: Generation, pageId: number): Subject {
  const { catalog, reader } = generation;
  const site = catalog.site(pageId);
  return { sameSite: (other) => catalog.site(other) === site, links: () => reader.links(pageId) };
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
): string {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  const accept = pageFilter(generation, subject, narrowing);
  const isPlain = accept === null && narrowing.max_per_site === undefined;
  const count = isPlain ? offset + narrowing.limit + 1 : Infinity;
  const candidates = relatedCandidates(generation, relation, pageId, narrowing.clustering, count);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const items = pageItemsJson(generation, relation, pageId, subject, selection, narrowing);
  return `{${generation.catalog.head(pageId)}${listJson(generation, relation, selection, narrowing, offset, hash, items)}}`;
}

/** The items of a list of neighbours of a page of the index. */
export function pageItemsJson(
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  subject: Subject,
  { span }: Selection,
  narrowing: Narrowing,
): string {
  if (relation.name === 'copy') {
    const source = copySource(generation);
    const textOf = (id: number) => ownText(generation, source, id);
    return copyItemsJson(generation, subject, span, textOf(pageId), textOf);
  }
  const bag = narrowing.explain ? generation.reader.bag(relation.id, pageId) : null;
  return itemsJson(generation, relation, subject, span, bag);
}

/** From `,"by":` to `"next":`. */
export function listJson(
  generation: Generation,
  relation: RelationRecord,
  selection: Selection,
  narrowing: Narrowing,
  offset: number,
  hash: string,
  items: string,
): string {
  const reason = selection.emptyReason === null ? 'null' : `"${selection.emptyReason}"`;
  const next = selection.more ? `"${makeCursor(generation.id, hash, offset + narrowing.limit)}"` : 'null';
  return `,"by":"${relation.name}","generation":"${generation.id}","related":[${items}],"empty_reason":${reason},"next":${next}`;
}

/**
 * `bag` is the subject's, where the answer is to be explained. As few pieces as can be: the string is put
 * together when it is sent, and each piece costs a step.
 */
export function itemsJson(
  generation: Generation,
  relation: RelationRecord,
  subject: Subject,
  span: NeighbourSpan,
  bag: Bag | null,
): string {
  const { catalog } = generation;
  const { ids, shared, total, start, end } = span;
  const measure = `,"measure":"${relation.measure}","same_site":`;
  const here = `${measure}true`;
  const elsewhere = `${measure}false`;
  const hereNext = `${here}},`;
  const elsewhereNext = `${elsewhere}},`;
  let json = '';
  for (let at = start; at < end; at++) {
    const pageId = ids[at]!;
    const sameSite = subject.sameSite(pageId);
    json += catalog.item(pageId) + similarityText(shared[at]!, total[at]!);
    if (bag === null && at < end - 1) {
      json += sameSite ? hereNext : elsewhereNext;
      continue;
    }
    json += sameSite ? here : elsewhere;
    if (bag !== null)
      json += `,"why":{"terms":${JSON.stringify(sharedTerms(generation, relation, bag, pageId))}}`;
    json += at < end - 1 ? '},' : '}';
  }
  return json;
}
