/**
 * Normalized discounted cumulative gain of the first k results: the sum of grade / log2(1 + rank), divided by
 * the sum of the best list there could be.
 *
 * The gain is the grade itself, as in trec_eval; other tools take 2^grade - 1, which is the same for grades
 * of 0 and 1.
 *
 * Shape   grades in the order of the list; best descending, the greatest grades there are. NaN where nothing
 *         is relevant: there is no best list to compare with.
 * Source  Järvelin, Kekäläinen, ACM TOIS 20(4), 2002.
 */
export function ndcgAt(grades: readonly number[], best: readonly number[], k: number): number {
  return discountedGain(grades, k) / discountedGain(best, k);
}

function discountedGain(grades: readonly number[], k: number): number {
  let gain = 0;
  for (let i = 0; i < k && i < grades.length; i++) gain += grades[i]! / Math.log2(i + 2);
  return gain;
}
