/** The share of the first k results that are relevant; always over k, also where the list is shorter. */
export function precisionAt(grades: readonly number[], k: number, relevantFrom = Number.MIN_VALUE): number {
  let relevant = 0;
  for (let i = 0; i < k && i < grades.length; i++) if (grades[i]! >= relevantFrom) relevant++;
  return relevant / k;
}

/** 1 where one of the first k results is relevant, else 0. */
export function hitAt(grades: readonly number[], k: number, relevantFrom = Number.MIN_VALUE): number {
  return grades.slice(0, k).some((grade) => grade >= relevantFrom) ? 1 : 0;
}
