/** The lists of a page of the index: the body of GET /related. */
import type { Relation } from '../../../relations/relation.ts';
import { relationOf } from '../../../relations/relations.ts';
import type { Generation } from '../../held/generation.ts';
import { beginAnswer, type JsonWriter } from '../../http/json-writer.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import { clusteringLevel } from '../clusters/clustering.ts';
import { storedCandidates } from './candidates.ts';
import { askedPage, copyList } from './copy-list.ts';
import { type FoundList, SelectedList, writeList } from './found-list.ts';
import { linkedList, linksOf } from './link-list.ts';
import { pageFilter, pageSubject } from './page-filter.ts';
import { explain } from './rank.ts';
import { selectNeighbors } from './selection.ts';

/** By how the neighbors of the relation are found. */
const PAGE_LISTS: Readonly<Record<Relation['neighbors'], typeof pageList>> = {
  'nearest bags': nearestToPage,
  'shared shingles': copiesOfPage,
  'shared citers': linkedWithPage,
  'shared targets': linkedWithPage,
  'vicinity graph': linkedWithPage,
};

/**
 * The list of a page, as it is stored, or searched for where filters or the index's limit ask for it.
 *
 * Errors  Problem `relation-not-in-index`.
 */
export function pageList(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  return PAGE_LISTS[relationOf(narrowing.by).neighbors](generation, pageId, narrowing, offset);
}

/** The answer for a URL that is not in the index, where that is no error. */
export function missingAnswer(
  generation: Generation,
  url: string,
  narrowing: Narrowing,
  hash: string,
): JsonWriter {
  const json = beginAnswer().text(`{"url":${JSON.stringify(url)},"title":""`);
  writeList(json, generation, notIndexed(generation), narrowing, 0, hash);
  return json.text('}');
}

/** The list of a page that is not there. */
export function notIndexed(generation: Generation): FoundList {
  generation.emptyAnswers.not_indexed++;
  return { more: false, emptyReason: 'not_indexed', pageIds: () => [], writeItems() {}, tail: '' };
}

/** Errors  as `pageList`; `hash` as for `writeList`. */
export function relatedAnswer(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
  hash: string,
): JsonWriter {
  const list = pageList(generation, pageId, narrowing, offset);
  const json = beginAnswer().text('{');
  generation.catalog.writeHead(json, pageId);
  writeList(json, generation, list, narrowing, offset, hash);
  return json.text('}');
}

function nearestToPage(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const relation = generation.relation(narrowing.by);
  const subject = pageSubject(generation, pageId);
  // Names what is wrong with it: this relation has no clusterings.
  if (narrowing.clustering !== undefined) clusteringLevel(generation, relation.name, narrowing.clustering);
  const filter = pageFilter(generation, subject, narrowing);
  const isFiltered = filter.accept !== null || filter.copies !== null || narrowing.max_per_site !== undefined;
  const isPlain = !isFiltered && narrowing.min_similarity === 0 && !narrowing.explain;
  const count = isPlain ? offset + narrowing.limit + 1 : Infinity;
  const candidates = storedCandidates(generation, relation, pageId, narrowing, count);
  const selection = selectNeighbors(generation, candidates, filter, narrowing, offset);
  const why = narrowing.explain
    ? explain(generation, relation, generation.reader.bag(relation.id, pageId), candidates.stored, pageId)
    : null;
  return new SelectedList(selection, subject, relation.measure, why, narrowing.cards);
}

function copiesOfPage(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const { source, asked } = askedPage(generation, pageId, pageSubject(generation, pageId));
  return copyList(generation, source, asked, narrowing, offset);
}

function linkedWithPage(
  generation: Generation,
  pageId: number,
  narrowing: Narrowing,
  offset: number,
): FoundList {
  const links = linksOf(generation, pageId, narrowing, offset);
  return linkedList(generation, pageSubject(generation, pageId), links, narrowing, offset);
}
