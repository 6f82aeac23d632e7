/**
 * Formulas of the local build as the joins of the job need them: in SQL, beside the function that each of them is. A test
 * holds the two equal.
 */
export const FORMULAS = {
  /** `labelScore` of cluster/label.ts. */
  labelScore: '(weight / total) * ln((weight / total) * total_of_all / in_all) * pages / size',
  /** `topicWeight` of cluster/topic-graph.ts; a list that is not there is null. */
  topicWeight: 'score / sqrt(own * coalesce(other, own))',
};
