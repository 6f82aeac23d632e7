import { formatCount } from './table.ts';

/** What a build measured of the neighbours it kept. */
export interface MeasuredNeighbours {
  readonly method: string;
  readonly recall: number;
  readonly sampleCount: number;
}

export interface MeasuredPairs {
  readonly similarity: number;
  readonly pairCount: number;
  readonly recall: number;
}

/** `.973`; rounded down, so that no figure promises more than was measured; `1` is all of them. */
export function formatRecall(recall: number): string {
  // 0.029 * 1000 is 28.999999999999996.
  const thousandths = Math.floor(recall * 1000 + 1e-9);
  return thousandths >= 1000 ? '1' : `.${String(thousandths).padStart(3, '0')}`;
}

/** `graph, recall@10 .973 of 256 sampled pages`. */
export function neighboursText({ method, recall, sampleCount }: MeasuredNeighbours): string {
  if (method === 'exact') return 'exact';
  return `${method}, recall@10 ${formatRecall(recall)} of ${formatCount(sampleCount)} sampled pages`;
}

/** `1,203,117 from similarity 0.2 up, recall .981`. */
export function pairsText({ similarity, pairCount, recall }: MeasuredPairs): string {
  return `${formatCount(pairCount)} from similarity ${similarity} up, recall ${formatRecall(recall)}`;
}

/** What a person should know where a search ended below the recall asked for; null where it did not. */
export function missedRecall(what: string, recall: number, target: number): string | null {
  if (recall >= target) return null;
  return `warning: recall of ${what} is ${formatRecall(recall)}, below --recall ${target}`;
}
