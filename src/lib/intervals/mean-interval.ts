export interface MeanInterval {
  readonly mean: number;
  /** Half the width of the interval in which the mean of all lies at 95 %; Infinity for less than two values. */
  readonly margin: number;
}

const DEVIATIONS = 1.96;

/** The mean of independent values, such as differences of pairs; NaN for none. */
export function meanInterval(values: ArrayLike<number>): MeanInterval {
  const count = values.length;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  const mean = sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (values[i]! - mean) ** 2;
  const margin = count < 2 ? Number.POSITIVE_INFINITY : DEVIATIONS * Math.sqrt(squares / (count - 1) / count);
  return { mean, margin };
}
