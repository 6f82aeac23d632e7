import { studentT } from './student-t.ts';

export interface MeanInterval {
  readonly mean: number;
  /** Half the width of the interval in which the mean of all lies at 95 %; Infinity for less than two values. */
  readonly margin: number;
}

/** The mean of independent values, such as differences of pairs, by Student's t; NaN for none. */
export function meanInterval(values: ArrayLike<number>): MeanInterval {
  const count = values.length;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  const mean = sum / count;
  if (count < 2) return { mean, margin: Number.POSITIVE_INFINITY };
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (values[i]! - mean) ** 2;
  return { mean, margin: studentT(count - 1) * Math.sqrt(squares / (count - 1) / count) };
}
