import { formatCount } from '../terminal/table.ts';
import type { EvaluationOptions, EvaluationReport } from './report.ts';

/** How the figures of a report are computed, in sentences. */
export function notesOn(
  { index, judgements, hopelessCount, recall, gamma }: Omit<EvaluationReport, 'notes'>,
  { relevantFrom }: EvaluationOptions,
): string[] {
  const isLabels = judgements.kind === 'labels';
  const judged = isLabels ? 'labelled' : 'judged';
  const notes = [
    isLabels
      ? 'A neighbour is relevant when it shares a label with the query page.'
      : `A neighbour is relevant at a grade ${relevantFrom === null ? 'above 0' : `of ${relevantFrom} or more`}; a judged pair counts in both directions.`,
    `A neighbour that is not ${judged} counts as not relevant. The figures among ${judged} pages skip such ` +
      'neighbours; the next ones move up.',
    'P@k is divided by k, even where a list is shorter. nDCG uses the grade as gain and log2(1 + rank) as discount.',
  ];
  if (hopelessCount > 0) {
    notes.push(
      `Query pages without a relevant page in the index: ${formatCount(hopelessCount)}. They count as 0 in ` +
        'P@k and hit@k, and nDCG leaves them out.',
    );
  }
  if (recall !== null) {
    notes.push(
      `Recall is the share of the exact ${recall.k} nearest pages, at similarity ${index.relation.floor} or above, ` +
        'that the stored lists hold.',
    );
  }
  if (gamma !== null) {
    notes.push(
      'Gamma orders the other labelled pages around a page, by exact similarity and by steps up the tree of labels ' +
        'to the class that holds both, and compares the two orders (1 the same, 0 chance, -1 opposed).',
    );
  }
  if (isLabels) {
    notes.push(
      'V-measure uses the first label of each labelled page. A cluster of one page raises homogeneity without merit.',
    );
  }
  return notes;
}
