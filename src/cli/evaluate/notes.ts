import { formatCount } from '../terminal/table.ts';
import type { EvaluationOptions, EvaluationReport } from './report.ts';

/** How the figures of a report are counted, in sentences. */
export function notesOn(
  { index, judgements, hopelessCount, recall, gamma }: Omit<EvaluationReport, 'notes'>,
  { relevantFrom }: EvaluationOptions,
): string[] {
  const isLabels = judgements.kind === 'labels';
  const judged = isLabels ? 'labelled' : 'judged';
  const notes = [
    isLabels
      ? 'A neighbour is relevant when it shares a label with the page asked about.'
      : `A neighbour is relevant at a grade ${relevantFrom === null ? 'above 0' : `of ${relevantFrom} or more`}; a judged pair holds both ways.`,
    `A neighbour that is not ${judged} counts as not relevant. The figures among ${judged} pages leave such ` +
      'neighbours out, and the next ones take their places.',
    'P@k is over k, also where a list is shorter. nDCG takes the grade as gain and log2(1 + rank) as discount.',
  ];
  if (hopelessCount > 0) {
    notes.push(
      `Pages asked about without any relevant page in the index: ${formatCount(hopelessCount)}. They count 0 in ` +
        'P@k and hit@k and are left out of nDCG.',
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
      'V-measure takes the first label of each labelled page. A page alone raises homogeneity for nothing.',
    );
  }
  return notes;
}
