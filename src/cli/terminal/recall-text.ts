import { formatCount } from './table.ts';

/** The recall that a build measured for its neighbours. */
export interface MeasuredNeighbours {
  readonly method: string;
  readonly recall: number;
  readonly sampleCount: number;
}

/** The recall that a join measured for its pairs. */
export interface MeasuredPairs {
  readonly method: string;
  /** Null where the sampled pages have no pair. */
  readonly recall: number | null;
  readonly sampleCount: number;
}

/** `0.973`, rounded down, so that no figure promises more than was measured; a dash where there was nothing to find. */
export function formatRecall(recall: number): string {
  if (Number.isNaN(recall)) return '-';
  // 0.029 * 1000 is 28.999999999999996.
  return (Math.floor(recall * 1000 + 1e-9) / 1000).toFixed(3);
}

/** `graph, recall@10 0.973 of 256 sampled pages`. */
export function neighboursText({ method, recall, sampleCount }: MeasuredNeighbours): string {
  if (method === 'exact') return 'exact';
  return `${method}, recall@10 ${formatRecall(recall)} of ${formatCount(sampleCount)} sampled pages`;
}

/** `exact`, or `buckets, recall 0.981 of 512 sampled pages`. */
export function pairsText({ method, recall, sampleCount }: MeasuredPairs): string {
  if (method === 'exact') return 'exact';
  const sample = `${formatCount(sampleCount)} sampled pages`;
  return recall === null
    ? `${method}, recall not measured: none of ${sample} has a pair`
    : `${method}, recall ${formatRecall(recall)} of ${sample}`;
}

/** A warning where a search ended below the requested recall; null where it did not. */
export function missedRecall(what: string, recall: number | null, target: number): string | null {
  if (recall === null || recall >= target) return null;
  return `warning: recall of ${what} is ${formatRecall(recall)}, below --recall ${target}`;
}
