/** A page near to another; lists of these are nearest first. */
export interface Near {
  readonly id: number;
  readonly similarity: number;
}

/** The order of a list by the votes of its pages' own lists, straight from the formula; `self` is -1 for a document. */
export function slowVotes<T extends Near>(
  list: readonly T[],
  self: number,
  listOf: (id: number) => readonly Near[],
): T[] {
  return slowScores(list, self, listOf).map(({ near }) => near);
}

/** The same with the scores. */
export function slowScores<T extends Near>(
  list: readonly T[],
  self: number,
  listOf: (id: number) => readonly Near[],
): { readonly near: T; readonly score: number }[] {
  const similarity = new Map(list.map((near) => [near.id, near.similarity]));
  if (self >= 0) similarity.set(self, 0.3);
  const scored = list.map((near) => {
    const voters = listOf(near.id).slice(0, 20);
    const sum = voters.reduce((total, voter) => total + voter.similarity, 0);
    const votes = voters.reduce(
      (total, voter) => total + voter.similarity * (similarity.get(voter.id) ?? 0),
      0,
    );
    return { near, score: near.similarity + (sum === 0 ? 0 : votes / sum) };
  });
  const isClear = list.length < 2 || list[0]!.similarity >= 1.2 * list[1]!.similarity;
  const nearlyEqual = list.filter((near) => near.similarity >= 0.5).length;
  const fixed = scored.splice(0, Math.max(nearlyEqual, isClear ? 1 : 0));
  return [...fixed, ...scored.sort((a, b) => b.score - a.score)];
}
