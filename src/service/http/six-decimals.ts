/** A figure in [0, 1] as answers print it: rounded to six decimals. */
export function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
