import type { MeasuredRecall } from '../../join/pairs/measured-recall.ts';
import type { JoinReport } from '../../join/pairs/pair-columns.ts';
import { formatCount } from './table.ts';

/** The recall that a build measured for its neighbors. */
interface MeasuredNeighbors extends MeasuredRecall {
  readonly method: string;
}

/** The recall that a join measured for its pairs. */
interface MeasuredPairs extends Pick<JoinReport, 'recall' | 'recallLow' | 'recallHigh' | 'sampleCount'> {
  readonly method: string;
}

/** `0.973`, rounded down, so that no figure promises more than was measured; a dash where there was nothing to find. */
export function formatRecall(recall: number): string {
  if (Number.isNaN(recall)) return '-';
  // 0.029 * 1000 is 28.999999999999996.
  return (Math.floor(recall * 1000 + 1e-9) / 1000).toFixed(3);
}

/** `graph, recall@10 0.978 (0.974 to 0.981) of 1,024 sampled pages`, the 95 % interval in brackets. */
export function neighborsText(measured: MeasuredNeighbors): string {
  const { method, recall, sampleCount } = measured;
  if (method === 'exact') return 'exact';
  const interval = intervalText(measured);
  return `${method}, recall@10 ${formatRecall(recall)}${interval} of ${formatCount(sampleCount)} sampled pages`;
}

/** `exact`, or `buckets, recall 0.981 (0.977 to 0.984) of 1,024 sampled pages`. */
export function pairsText(measured: MeasuredPairs): string {
  const { method, recall, sampleCount } = measured;
  if (method === 'exact') return 'exact';
  const sample = `${formatCount(sampleCount)} sampled pages`;
  return recall === null
    ? `${method}, recall not measured: none of ${sample} has a pair`
    : `${method}, recall ${formatRecall(recall)}${intervalText(measured)} of ${sample}`;
}

function intervalText({ recallLow, recallHigh }: Pick<MeasuredPairs, 'recallLow' | 'recallHigh'>): string {
  return recallLow === null || recallHigh === null
    ? ''
    : ` (${formatRecall(recallLow)} to ${formatRecall(recallHigh)})`;
}

/** A warning where a search ended surely below the requested recall; null where it did not. */
export function missedRecall(
  what: string,
  { recall, recallHigh }: Pick<MeasuredPairs, 'recall' | 'recallHigh'>,
  target: number,
): string | null {
  if (recall === null || recallHigh === null || recallHigh >= target) return null;
  return `warning: recall of ${what} is ${formatRecall(recall)}, below --recall ${target}`;
}
