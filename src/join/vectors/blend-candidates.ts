/** The candidates of a list by words and by vectors: those of both lists, each compared both ways. */
import type { Bag } from '../../features/bag.ts';
import { sharedOf } from '../exact/weighted-jaccard.ts';
import type { EntrySpan, PairNearness } from '../pairs/nearness.ts';
import type { NeighborSpan, NeighborTable } from '../pairs/neighbor-table.ts';
import { type Blend, blended } from './blend.ts';

/** Columns of one length. */
export interface BlendCandidates {
  readonly ids: ArrayLike<number>;
  readonly shared: ArrayLike<number>;
  readonly total: ArrayLike<number>;
  /** How near they are by words, in whole 65,535ths. */
  readonly words: ArrayLike<number>;
  /** Their cosines in parts (cosine.ts), or NO_COSINE. */
  readonly parts: ArrayLike<number>;
}

/** What two pages are compared by. */
interface Comparing {
  readonly pair: PairNearness;
  /** May be true until the next one is asked for. */
  readonly bagOf: (page: number) => EntrySpan;
  /** As `parts` of the candidates. */
  readonly cosineOf: (page: number, other: number) => number;
}

/** Of a page: `byWords` has nearness, `byVectors` parts of a cosine. */
export function blendCandidates(
  page: number,
  byWords: NeighborSpan,
  byVectors: NeighborSpan,
  { pair, bagOf, cosineOf }: Comparing,
): BlendCandidates {
  const [ids, shared, total, words, parts]: number[][] = [[], [], [], [], []];
  const near = new Map<number, number>();
  for (let at = byVectors.start; at < byVectors.end; at++)
    near.set(byVectors.ids[at]!, byVectors.shared[at]!);
  for (let at = byWords.start; at < byWords.end; at++) {
    const id = byWords.ids[at]!;
    ids!.push(id);
    shared!.push(byWords.shared[at]!);
    total!.push(byWords.total[at]!);
    words!.push(byWords.nearness![at]!);
    parts!.push(near.get(id) ?? cosineOf(page, id));
    near.delete(id);
  }
  if (near.size > 0) {
    const own = copied(bagOf(page));
    pair.take(own);
    for (const [id, cosine] of near) {
      const figures = comparedBags(pair, own, asBag(bagOf(id)));
      ids!.push(id);
      shared!.push(figures.shared);
      total!.push(figures.total);
      words!.push(figures.words);
      parts!.push(cosine);
    }
  }
  return { ids: ids!, shared: shared!, total: total!, words: words!, parts: parts! };
}

/** What two bags share, and how near they are; `pair` has taken the first one. */
export function comparedBags(pair: PairNearness, own: Bag, other: Bag) {
  const { shared, total } = sharedOf(own, other);
  return { shared, total, words: pair.of(other, shared / total) };
}

/** The `count` nearest candidates, nearest first, ties by page id: their places, and how near each candidate is. */
export function nearestCandidates({ ids, words, parts }: BlendCandidates, blend: Blend, count: number) {
  const nearness = Array.from(words, (word, i) => blended(word, parts[i]!, blend));
  const places = [...nearness.keys()]
    .filter((i) => nearness[i]! > 0)
    .sort((a, b) => nearness[b]! - nearness[a]! || ids[a]! - ids[b]!)
    .slice(0, count);
  return { places, nearness };
}

/** Writes the nearest candidates as row `row` of a table. */
export function writeBlended(
  table: NeighborTable,
  row: number,
  candidates: BlendCandidates,
  blend: Blend,
): void {
  const { places, nearness } = nearestCandidates(candidates, blend, table.k);
  table.counts[row] = places.length;
  for (const [i, place] of places.entries()) {
    const slot = row * table.k + i;
    table.ids[slot] = candidates.ids[place]!;
    table.shared[slot] = candidates.shared[place]!;
    table.total[slot] = candidates.total[place]!;
    table.nearness![slot] = nearness[place]!;
  }
}

function asBag({ features, weights, sum, start = 0, end = features.length }: EntrySpan): Bag {
  return { features: features.subarray(start, end), weights: weights.subarray(start, end), sum };
}

function copied(span: EntrySpan): Bag {
  const { features, weights, sum } = asBag(span);
  return { features: features.slice(), weights: weights.slice(), sum };
}
