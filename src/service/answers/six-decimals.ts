/** A figure in [0, 1] with at most six decimals. */
export function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
