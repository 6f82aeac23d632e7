import type { Bag, BagMatrix } from '../features/bag.ts';
import type { NeighbourList } from '../join/pairs/neighbour-table.ts';
import { createNeighbourTable, type NeighbourTable } from '../join/pairs/neighbour-table.ts';
import type { IndexReader } from '../store/reader.ts';
import type { StoredPage } from '../store/records.ts';
import { TOPIC_RELATION_ID } from './relate/relation-ids.ts';

export const NO_BAG: Bag = { features: new Uint32Array(0), weights: new Uint8Array(0), sum: 0 };
const NO_LIST: NeighbourList = {
  ids: new Uint32Array(0),
  shared: new Uint16Array(0),
  total: new Uint16Array(0),
};

/** An index in memory, by page id, as far as a change goes through all of it. About 2 KB a page. */
export interface IndexState {
  readonly pages: StoredPage[];
  readonly bags: Bag[];
  readonly lists: NeighbourList[];
  /** Out-links, ascending. */
  readonly links: Uint32Array[];
  /** Version of the latest capture; -1 where there is none. */
  readonly versions: number[];
  readonly featureCount: number;
}

export function loadState(reader: IndexReader): IndexState {
  const pages = [...reader.pages()];
  const bags: Bag[] = pages.map(() => NO_BAG);
  for (const { pageId, bag } of reader.allBags(TOPIC_RELATION_ID)) bags[pageId] = bag;
  const lists: NeighbourList[] = pages.map(() => NO_LIST);
  for (const { pageId, list } of reader.allNeighbours(TOPIC_RELATION_ID)) lists[pageId] = list;
  let featureCount = 0;
  for (const _ of reader.allFeatures(TOPIC_RELATION_ID)) featureCount++;
  return {
    pages,
    bags,
    lists,
    links: pages.map(({ id }) => reader.links(id)),
    versions: [...reader.versions.allCurrent(pages.length)],
    featureCount,
  };
}

/** A page that has nothing yet, behind the others. */
/** Its site is numbered when the row is written. */
export function appendPage(state: IndexState, page: Omit<StoredPage, 'id' | 'siteId'>): number {
  const id = state.pages.push({ ...page, id: state.pages.length, siteId: -1 }) - 1;
  state.bags.push(NO_BAG);
  state.lists.push(NO_LIST);
  state.links.push(new Uint32Array(0));
  state.versions.push(-1);
  return id;
}

export function matrixOf({ bags, featureCount }: IndexState): BagMatrix {
  const offsets = new Float64Array(bags.length + 1);
  for (const [page, { features }] of bags.entries()) offsets[page + 1] = offsets[page]! + features.length;
  const features = new Uint32Array(offsets[bags.length]!);
  const weights = new Uint8Array(features.length);
  for (const [page, bag] of bags.entries()) {
    features.set(bag.features, offsets[page]!);
    weights.set(bag.weights, offsets[page]!);
  }
  return { offsets, features, weights, sums: Uint16Array.from(bags, ({ sum }) => sum), featureCount };
}

export function tableOf({ lists }: IndexState, k: number): NeighbourTable {
  const table = createNeighbourTable(lists.length, k);
  for (const [page, { ids, shared, total }] of lists.entries()) {
    table.counts[page] = ids.length;
    table.ids.set(ids, page * k);
    table.shared.set(shared, page * k);
    table.total.set(total, page * k);
  }
  return table;
}

/** Number of pages that link to each page. */
export function inLinkCounts(links: readonly Uint32Array[]): Uint32Array {
  const counts = new Uint32Array(links.length);
  for (const targets of links) for (const target of targets) counts[target]!++;
  return counts;
}
