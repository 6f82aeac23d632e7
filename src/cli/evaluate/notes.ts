import type { ListQualityAt } from '../../evaluate/judge-lists.ts';
import { formatCount } from '../terminal/table.ts';
import type { JudgementFacts } from './judgements.ts';
import type { EvaluationOptions, EvaluationReport } from './report.ts';

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Whole percents; one digit more below ten and from 99.5 on, where it matters: 100 is all, and 0 none. */
function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '<0.1 %';
  if (share >= 0.995 && share < 1) return `${Math.min(99.9, 100 * share).toFixed(1)} %`;
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/**
 * The result in one sentence. Pages without a judgement are skipped, because chance is that of drawing among the
 * judged ones; and where lists hold fewer of these, the share is of those that they hold.
 */
export function verdictOn(
  { k, judged, judgedShare }: Pick<ListQualityAt, 'k' | 'judged' | 'judgedShare'>,
  { kind, chance }: Pick<JudgementFacts, 'kind' | 'chance'>,
): string {
  const what = kind === 'pairs' ? 'judged' : 'labelled';
  const among = `Of the ${k === 1 ? 'nearest' : `${NUMBERS[k] ?? k} nearest`} ${what} pages, `;
  if (judgedShare === 0) return `${among}lists hold none.`;
  const held = judgedShare === 1 ? '' : `lists hold ${percent(judgedShare)}; of these `;
  // Two quotients of equal counts may differ in the last bit.
  const share = percent(Math.min(1, judged.precision / judgedShare));
  if (kind === 'pairs') return `${among}${held}${share} are relevant.`;
  const random = chance === null ? '' : `; by chance ${percent(chance)} would`;
  return `${among}${held}${share} share a label with the page${random}.`;
}

/** How the figures of a report are computed, in sentences. */
export function notesOn(
  { index, judgements, hopelessCount, examples, recall, gamma, clusters }: Omit<EvaluationReport, 'notes'>,
  { relevantFrom }: EvaluationOptions,
): string[] {
  const isLabels = judgements.kind === 'labels';
  const judged = isLabels ? 'labelled' : 'judged';
  const notes = [
    isLabels
      ? 'A neighbor is relevant when it shares a label with the query page.'
      : `A neighbor is relevant at a grade ${relevantFrom === null ? 'above 0' : `of ${relevantFrom} or more`}; a judged pair counts in both directions.`,
    `A neighbor that is not ${judged} counts as not relevant. The figures among ${judged} pages skip such ` +
      'neighbors; the next ones move up.',
    'P@k is divided by k, even where a list is shorter. nDCG uses the grade as gain and log2(1 + rank) as discount.',
  ];
  if (examples.best.length > 0) {
    notes.push(
      `The best and worst lists are those with most and fewest relevant pages among their first ${examples.k}; among ` +
        'equals, with the more similar nearest page. Pages without a relevant page in the index are not shown.',
    );
  }
  if (hopelessCount > 0) {
    notes.push(
      `Query pages without a relevant page in the index: ${formatCount(hopelessCount)}. They count as 0 in ` +
        `P@k and hit@k, and nDCG leaves ${relevantFrom === null ? 'them out' : 'out those without any grade above 0'}.`,
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
  if (isLabels && clusters.length > 0) {
    notes.push(
      'V-measure uses the first label of each labelled page. A cluster of one page raises homogeneity without merit.',
    );
  }
  return notes;
}
