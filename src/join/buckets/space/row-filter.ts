import { ROW_BYTES } from '../../../sketch/page-kernel.ts';

const STEPS = 1024;

/**
 * Thresholds of the row filter: the agreement expected at a similarity, less `slack` standard deviations.
 *
 * Bytes agree with probability p = J + (1 - J) / 256. Two standard deviations lose 2 % of the pairs that lie
 * exactly at the threshold, one loses 16 %; most true neighbors lie above it.
 * Shape   Uint8Array(1025), entry round(1024 J).
 */
export function agreementTable(slack: number): Uint8Array {
  return Uint8Array.from({ length: STEPS + 1 }, (_, step) => {
    const p = step / STEPS + (1 - step / STEPS) / 256;
    return Math.max(0, Math.floor(ROW_BYTES * p - slack * Math.sqrt(ROW_BYTES * p * (1 - p))));
  });
}

export function agreementNeeded(table: Uint8Array, similarity: number): number {
  return table[(similarity * STEPS) | 0]!;
}
