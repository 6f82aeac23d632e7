import type { Bag } from '../src/features/bag.ts';

/** A page near to another; lists of these are nearest first. */
export interface Near {
  readonly id: number;
  readonly similarity: number;
  /** What it is ordered by, as `slowNearness` has it. */
  readonly nearness: number;
}

/** Half the similarity and .3 of the Hellinger affinity, in whole 65,535ths, by way of maps. */
export function slowNearness(a: Bag, b: Bag): Omit<Near, 'id'> {
  const weights = new Map(Array.from(a.features, (feature, i) => [feature, a.weights[i]!]));
  let [shared, roots] = [0, 0];
  for (const [i, feature] of b.features.entries()) {
    const [x, y] = [weights.get(feature) ?? 0, b.weights[i]!];
    shared += Math.min(x, y);
    roots += Math.sqrt(x) * Math.sqrt(y);
  }
  const similarity = shared === 0 ? 0 : shared / (a.sum + b.sum - shared);
  const affinity = roots === 0 ? 0 : roots / Math.sqrt(a.sum * b.sum);
  return { similarity, nearness: Math.round((65_535 * (similarity + 0.6 * affinity)) / 2) / 65_535 };
}

/** The order of a list by the votes of its pages' own lists, straight from the formula; `self` is -1 for a document. */
export function slowVotes<T extends Near>(
  list: readonly T[],
  self: number,
  listOf: (id: number) => readonly Pick<Near, 'id' | 'similarity'>[],
): T[] {
  return slowScores(list, self, listOf).map(({ near }) => near);
}

/** The same with the scores. */
export function slowScores<T extends Near>(
  list: readonly T[],
  self: number,
  listOf: (id: number) => readonly Pick<Near, 'id' | 'similarity'>[],
): { readonly near: T; readonly score: number }[] {
  const nearness = new Map(list.map((near) => [near.id, near.nearness]));
  if (self >= 0) nearness.set(self, 0.3);
  const scored = list.map((near) => {
    const voters = listOf(near.id).slice(0, 20);
    const sum = voters.reduce((total, voter) => total + voter.similarity, 0);
    const votes = voters.reduce(
      (total, voter) => total + voter.similarity * (nearness.get(voter.id) ?? 0),
      0,
    );
    return { near, score: near.nearness + (sum === 0 ? 0 : votes / sum) };
  });
  const isClear = list.length < 2 || list[0]!.similarity >= 1.2 * list[1]!.similarity;
  const nearlyEqual = list.filter((near) => near.similarity >= 0.5).length;
  const fixed = scored.splice(0, Math.max(nearlyEqual, isClear ? 1 : 0));
  return [...fixed, ...scored.sort((a, b) => b.score - a.score)];
}
