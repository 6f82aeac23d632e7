/**
 * The lists of pages from what the stages of a build left in memory: those that an index of the same pages would answer
 * with, where only pages that were read are listed.
 */
import { type Bag, type BagMatrix, bagAt } from '../features/bag.ts';
import { isOfLinks } from '../features/parts.ts';
import type { MemoryFolder } from '../indexer/files/memory-folder.ts';
import { FEATURES } from '../indexer/files/records/stage-files.ts';
import { collapsedPages } from '../indexer/gather/records/collapsed-pages.ts';
import { loadNeighbors } from '../indexer/relate/lists/neighbors.ts';
import { loadBags } from '../indexer/weigh/bag-files.ts';
import { featureNames } from '../indexer/weigh/vocabulary.ts';
import { ShownTitles, TitleCounter } from '../indexer/write/shown-titles.ts';
import {
  createNearestScratch,
  type NearestScratch,
  nearestToBag,
  type PostingSource,
} from '../join/exact/nearest-to-bag.ts';
import { buildPostings } from '../join/exact/postings.ts';
import { explainOverlap } from '../join/exact/weighted-jaccard.ts';
import { allOf, byScore, kept, withFurther } from '../join/pairs/neighbor-span.ts';
import { type NeighborSpan, type NeighborTable, rowOfTable } from '../join/pairs/neighbor-table.ts';
import { VoteCount } from '../join/pairs/votes.ts';
import { type PageFields, unpackFields } from '../page/fields/page-fields.ts';
import { sixDecimals } from '../service/http/six-decimals.ts';
import type { SharedTerm } from './generated.ts';

const SHOWN_TERMS = 10;

/** A page of a list. */
export interface ListedPage {
  readonly pageId: number;
  readonly similarity: number;
  /** What the list is ordered by; a page beyond the stored neighbors has none, and follows by similarity. */
  readonly score?: number;
  readonly terms: readonly SharedTerm[];
}

interface MemoryPage {
  readonly url: string;
  readonly title: string;
  readonly isRead: boolean;
  readonly fields: PageFields;
}

interface ListSettings {
  readonly neighborLimit: number;
  readonly floor: number;
  readonly keepTitles: boolean;
}

export class MemoryLists {
  /** By page id, in the order of URLs. */
  readonly pages: readonly MemoryPage[];
  readonly #settings: ListSettings;
  readonly #matrix: BagMatrix;
  readonly #table: NeighborTable;
  readonly #terms: readonly { readonly part: string; readonly term: string }[];
  readonly #votes = new VoteCount();
  /** For lists that go beyond the neighbors; made by the first of them. */
  #search: BagSearch | undefined;

  constructor(folder: MemoryFolder, settings: ListSettings) {
    this.#settings = settings;
    this.#matrix = loadBags(folder);
    this.#table = loadNeighbors(folder);
    const featureCount = FEATURES.columns.keys.length(folder);
    this.#terms = Array.from(featureNames(folder, featureCount));
    this.pages = readPages(folder, settings.keepTitles);
  }

  /** The `limit` best pages for a page. */
  of(pageId: number, limit: number): ListedPage[] {
    const row = this.#row(pageId);
    const scores = this.#votes.scores(row, pageId, (id) => this.#row(id));
    const scoreOf = new Map(Array.from(scores, (score, i) => [row.ids[row.start + i]!, score]));
    const stored = byScore(row, scores);
    let listed = kept(stored, (at) => this.pages[stored.ids[at]!]!.isRead);
    const isCut = stored.end === this.#settings.neighborLimit;
    // One more, as a page of an answer looks for the beginning of the next.
    if (listed.end <= limit && isCut) listed = withFurther(listed, this.#nearest(pageId, limit + 1));
    const { ids, shared, total } = listed;
    return Array.from(ids.subarray(0, limit), (id, at) => {
      const score = scoreOf.get(id);
      return {
        pageId: id,
        similarity: sixDecimals(shared[at]! / total[at]!),
        ...(score !== undefined && { score: sixDecimals(score) }),
        terms: this.#sharedTerms(pageId, id),
      };
    });
  }

  #row(pageId: number): NeighborSpan {
    return rowOfTable(this.#table, pageId);
  }

  /** The pages nearest to a page among all that were read, by similarity, ties by id. */
  #nearest(pageId: number, k: number): NeighborSpan {
    this.#search ??= searchOf(this.#matrix);
    const accept = (id: number) => this.pages[id]!.isRead;
    const options = { k, floor: this.#settings.floor, accept, skip: pageId };
    const { source, scratch } = this.#search;
    return allOf(nearestToBag(this.#bag(pageId), source, options, scratch));
  }

  #bag(pageId: number): Bag {
    return bagAt(this.#matrix, pageId);
  }

  /** Those of the greatest shares; links that both have are no terms. */
  #sharedTerms(a: number, b: number): SharedTerm[] {
    const common = explainOverlap(this.#bag(a), this.#bag(b));
    const terms: SharedTerm[] = [];
    for (const [i, feature] of common.features.entries()) {
      const { part, term } = this.#terms[feature]!;
      if (isOfLinks(part)) continue;
      // Cut, not rounded: shares never sum to more than all.
      terms.push({ term, part, share: Math.floor((common.weights[i]! / common.overlap) * 1e6) / 1e6 });
      if (terms.length === SHOWN_TERMS) break;
    }
    return terms;
  }
}

interface BagSearch {
  readonly source: PostingSource;
  readonly scratch: NearestScratch;
}

function searchOf(matrix: BagMatrix): BagSearch {
  const { blockPages, blocks } = buildPostings(matrix);
  const source = {
    pageCount: matrix.sums.length,
    blockPages,
    sums: matrix.sums,
    posting: (blockId: number, feature: number) => {
      const { entries, offsets } = blocks[blockId]!;
      return entries.subarray(offsets[feature]!, offsets[feature + 1]!);
    },
  };
  return { source, scratch: createNearestScratch(source) };
}

function readPages(folder: MemoryFolder, keepTitles: boolean): MemoryPage[] {
  const titles = new TitleCounter(folder);
  const pages = Array.from(collapsedPages(folder), ({ url, title, page }) => {
    if (page !== null && !keepTitles) titles.add(url, page.title);
    return { url, title, isRead: page !== null, fields: unpackFields(page?.fields ?? '') };
  });
  titles.finish();
  const shown = new ShownTitles(folder);
  return pages.map((page) => ({ ...page, title: shown.of(page.url, page.title) }));
}
