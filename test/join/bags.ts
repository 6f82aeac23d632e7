import type { Bag, BagMatrix } from '../../src/features/bag.ts';
import { Random } from '../../src/lib/random.ts';

/** Pages in families: words of a family are likely, a few are common to all; some pages are empty or copies. */
export function randomMatrix(pageCount: number, featureCount: number, seed: number): BagMatrix {
  const random = new Random(seed);
  const rows: Map<number, number>[] = [];
  for (let page = 0; page < pageCount; page++) {
    if (page > 2 && random.below(12) === 0) {
      rows.push(rows[random.below(page)]!);
      continue;
    }
    const row = new Map<number, number>();
    const size = random.below(15) === 0 ? random.below(3) : 5 + random.below(25);
    const family = random.below(8);
    for (let i = 0; i < size; i++) {
      const word = random.below(3) > 0 ? family * 7 + random.below(20) : random.below(featureCount);
      row.set(word % featureCount, 1 + random.below(random.below(10) === 0 ? 200 : 12));
    }
    rows.push(row);
  }
  return matrixOf(rows, featureCount);
}

export function matrixOf(rows: readonly ReadonlyMap<number, number>[], featureCount: number): BagMatrix {
  const sorted = rows.map((row) => [...row].sort((x, y) => x[0] - y[0]));
  const offsets = new Float64Array(rows.length + 1);
  sorted.forEach((row, page) => {
    offsets[page + 1] = offsets[page]! + row.length;
  });
  return {
    offsets,
    features: Uint32Array.from(sorted.flat(), (entry) => entry[0]),
    weights: Uint8Array.from(sorted.flat(), (entry) => entry[1]),
    sums: Uint16Array.from(sorted, (row) => row.reduce((sum, entry) => sum + entry[1], 0)),
    featureCount,
  };
}

export function bagOf(matrix: BagMatrix, page: number): Bag {
  const from = matrix.offsets[page]!;
  const to = matrix.offsets[page + 1]!;
  return {
    features: matrix.features.slice(from, to),
    weights: matrix.weights.slice(from, to),
    sum: matrix.sums[page]!,
  };
}

export interface Near {
  readonly id: number;
  readonly shared: number;
  readonly total: number;
}

/** The slow twin of every exact join: all pages of a bag by brute force, nearest first, ties by id. */
export function bruteForce(query: Bag, matrix: BagMatrix, floor: number, skip = -1): Near[] {
  const found: Near[] = [];
  const weightOf = new Map<number, number>();
  query.features.forEach((feature, i) => {
    weightOf.set(feature, query.weights[i]!);
  });
  for (let id = 0; id < matrix.sums.length; id++) {
    const bag = bagOf(matrix, id);
    let shared = 0;
    bag.features.forEach((feature, i) => {
      shared += Math.min(bag.weights[i]!, weightOf.get(feature) ?? 0);
    });
    const total = query.sum + bag.sum - shared;
    if (id !== skip && shared > 0 && shared / total >= floor) found.push({ id, shared, total });
  }
  return found.sort((x, y) => y.shared * x.total - x.shared * y.total || x.id - y.id);
}
