/** The body of GET /related, put together from parts that are JSON already. */

import type { Bag } from '../../features/bag.ts';
import type { RelationRecord } from '../../store/records.ts';
import type { NeighbourSpan } from '../catalog.ts';
import type { Generation } from '../generation.ts';
import { beginAnswer, type JsonWriter } from '../json-writer.ts';
import { makeCursor } from '../request-key.ts';
import type { Narrowing } from '../schemas/parameters.ts';
import { storedCandidates } from './candidates.ts';
import { writeCopyItems } from './copy-items.ts';
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
): Buffer {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  const accept = pageFilter(generation, subject, narrowing);
  const isPlain = accept === null && narrowing.max_per_site === undefined;
  const count = isPlain ? offset + narrowing.limit + 1 : Infinity;
  const candidates = storedCandidates(generation, relation, pageId, count);
  const selection = selectNeighbours(generation, candidates, accept, narrowing, offset);
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  writeList(json, generation, relation, selection, narrowing, offset, hash, () =>
    writePageItems(json, generation, relation, pageId, subject, selection, narrowing),
  );
  return json.text('}').take();
}

/** The items of a list of neighbours of a page of the index. */
export function writePageItems(
  json: JsonWriter,
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  subject: Subject,
  { span }: Selection,
  narrowing: Narrowing,
): void {
  if (relation.name === 'copy') {
    const source = copySource(generation);
    const textOf = (id: number) => ownText(generation, source, id);
    writeCopyItems(json, generation, subject, span, textOf(pageId), textOf);
    return;
  }
  const bag = narrowing.explain ? generation.reader.bag(relation.id, pageId) : null;
  writeItems(json, generation, relation, subject, span, bag);
}

/** From `,"by":` to `"next":`. */
export function writeList(
  json: JsonWriter,
  generation: Generation,
  relation: RelationRecord,
  selection: Selection,
  narrowing: Narrowing,
  offset: number,
  hash: string,
  writeItems: () => void,
): void {
  json.text(',"by":"').text(relation.name).text('","generation":"').text(generation.id).text('","related":[');
  writeItems();
  json.text('],"empty_reason":').text(selection.emptyReason === null ? 'null' : `"${selection.emptyReason}"`);
  const next = selection.more ? `"${makeCursor(generation.id, hash, offset + narrowing.limit)}"` : 'null';
  json.text(',"next":').text(next);
}

/** What stands behind a similarity, by measure. */
const ELSEWHERE = byMeasure(false);
const SAME_SITE = byMeasure(true);

function byMeasure(isSameSite: boolean): Record<RelationRecord['measure'], Buffer> {
  const piece = (measure: string) => Buffer.from(`,"measure":"${measure}","same_site":${isSameSite}`);
  return { exact: piece('exact'), estimate: piece('estimate') };
}

/** `bag` is the subject's, where the answer is to be explained. */
export function writeItems(
  json: JsonWriter,
  generation: Generation,
  relation: RelationRecord,
  subject: Subject,
  span: NeighbourSpan,
  bag: Bag | null,
): void {
  const { catalog } = generation;
  const { ids, shared, total, start, end } = span;
  const here = SAME_SITE[relation.measure];
  const elsewhere = ELSEWHERE[relation.measure];
  catalog.touch(span);
  for (let at = start; at < end; at++) {
    const pageId = ids[at]!;
    json.text(at > start ? ',{' : '{');
    catalog.writeHead(json, pageId);
    json.text(',"similarity":').text(similarityText(shared[at]!, total[at]!));
    json.bytes(subject.sameSite(pageId) ? here : elsewhere);
    if (bag !== null)
      json.text(`,"why":{"terms":${JSON.stringify(sharedTerms(generation, relation, bag, pageId))}}`);
    json.text('}');
  }
}
