import type { BagMatrix } from '../features/bag.ts';
import { EntriesInMemory, type EntrySource } from '../join/bags/entry-source.ts';
import { BoundedHeap } from '../lib/bounded-heap.ts';
import { groupBy, membersOf } from '../lib/groups.ts';
import { HostShares, type HostWords } from './host-words.ts';

/** Stands for the word of a feature that is none, and names no cluster. */
export const NO_WORD = 0xffffffff;

/** Parts that one word may be in. */
const WORD_PARTS = 4;

/** A word of less is rarer in the cluster than in the collection; equal shares that are summed in another order differ by less. */
export const LEAST_LABEL_SCORE = -1e-12;

/**
 * The features that tell a cluster from the collection, for each center: those with the greatest share of the
 * divergence between the two, p(t|C) log(p(t|C) / p(t)) over summed bags, times the share of the pages that
 * have it, so that one page's favorite word does not name a topic of fifty. Where the host of a page repeats the word on
 * its pages, the page counts by the share of them that does without. Ties by feature id. A word that is rarer in the cluster than
 * in the collection is left out, unless there is no other.
 *
 * Measured  the pages with most words of a label, as many as the cluster has: how many are of it, without and with the rule
 *         for hosts. 641 clusters of a crawl by level: .363 and .371, .332 and .347, .480 and .483, .640 and .649; labels
 *         have half as many words that half of the host's pages have. 107 of four manuals: .430 and .432, .483 and .485,
 *         .531 and .526, .570 and .555 (5 clusters). With and without rarer words, 92 of 440 names of three words of a shop: .423 and
 *         .458, .424 and .465, .450 and .463, .495 and .495.
 * Shape   center Uint32Array(n): center of each page, any number below n; stemOf Uint32Array(featureCount): the
 *         word of each feature, so that a word of several parts is named once, or NO_WORD. Each center in order, with its
 *         features best first: at most `limit`, fewer only where the cluster has fewer words that tell it apart. `entries`: those of the
 *         bags, where the matrix holds none.
 * Cost    one logarithm for each distinct feature of a cluster: linear in the entries of all bags, and in the words of their hosts.
 * Source  Kullback, Leibler 1951; as in algorithms of cluster labelling, Manning et al. 2008, 17.7.
 */
export function* labelClusters(
  matrix: BagMatrix,
  center: Uint32Array,
  stemOf: Uint32Array,
  limit: number,
  words: HostWords,
  entries: EntrySource = new EntriesInMemory(matrix),
): IterableIterator<[center: number, features: Uint32Array]> {
  const { offsets, sums, featureCount } = matrix;
  const inAll = new Float64Array(featureCount);
  let totalOfAll = 0;
  const weigh = (page: number) => {
    const at = entries.locate(offsets[page]!, offsets[page + 1]!);
    const { features, weights } = entries;
    const end = at + offsets[page + 1]! - offsets[page]!;
    for (let i = at; i < end; i++) inAll[features[i]!]! += weights[i]!;
    totalOfAll += sums[page]!;
  };
  for (let page = 0; page < sums.length; page++) weigh(page);
  const inCluster = new Float64Array(featureCount);
  const pagesWith = new Float64Array(featureCount);
  const shares = new HostShares(words, sums.length);
  const heap = new BoundedHeap(limit * WORD_PARTS);
  /** Features of the cluster at hand. */
  const seen = new Uint32Array(featureCount);
  const clusters = groupBy(center, center.length);
  let size = 0;
  let total = 0;
  const addPage = (page: number) => {
    const at = entries.locate(offsets[page]!, offsets[page + 1]!);
    const { features, weights } = entries;
    const end = at + offsets[page + 1]! - offsets[page]!;
    shares.turnTo(page);
    for (let i = at; i < end; i++) {
      const feature = features[i]!;
      if (inCluster[feature] === 0) seen[size++] = feature;
      inCluster[feature]! += weights[i]!;
      pagesWith[feature]! += 1 - shares.of(feature);
    }
    total += sums[page]!;
  };
  const rank = (pages: Uint32Array) => {
    size = 0;
    total = 0;
    for (const page of pages) addPage(page);
    heap.clear();
    for (let i = 0; i < size; i++) {
      const feature = seen[i]!;
      if (stemOf[feature] !== NO_WORD) {
        const weight = inCluster[feature]!;
        const having = pagesWith[feature]!;
        heap.offer(labelScore(weight, total, inAll[feature]!, totalOfAll, having, pages.length), feature, 0);
      }
      inCluster[feature] = 0;
      pagesWith[feature] = 0;
    }
    heap.sort();
    let count = Math.min(1, heap.size);
    while (count < heap.size && heap.scores[count]! >= LEAST_LABEL_SCORE) count++;
    return distinctWords(heap.ids.subarray(0, count), stemOf, limit);
  };
  for (let owner = 0; owner < center.length; owner++) {
    const pages = membersOf(clusters, owner);
    if (pages.length > 0) yield [owner, rank(pages)];
  }
}

/**
 * How well a word names a cluster: `weight` and `inAll` are what it has in the bags of the cluster and of all pages, `total`
 * and `totalOfAll` what all words have there; `pages` of the `size` pages of the cluster count for it.
 */
export function labelScore(
  weight: number,
  total: number,
  inAll: number,
  totalOfAll: number,
  pages: number,
  size: number,
): number {
  const share = weight / total;
  return (share * Math.log((share * totalOfAll) / inAll) * pages) / size;
}

/** A word has a feature for each part at most, so that the best limit * parts hold `limit` words. */
function distinctWords(ranked: Uint32Array, stemOf: Uint32Array, limit: number): Uint32Array {
  const words = new Set<number>();
  const chosen: number[] = [];
  for (const feature of ranked) {
    if (chosen.length === limit || words.has(stemOf[feature]!)) continue;
    words.add(stemOf[feature]!);
    chosen.push(feature);
  }
  return Uint32Array.from(chosen);
}
