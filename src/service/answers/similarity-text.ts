const THREE_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));
const WITHOUT_ZEROS = THREE_DIGITS.map((digits) => digits.replace(/0+$/, ''));
const FIRST_THREE = THREE_DIGITS.map((digits) => `0.${digits}`);
const ALL_THREE = WITHOUT_ZEROS.map((digits) => (digits === '' ? '0' : `0.${digits}`));

/** shared / total as a JSON number of at most six decimals; by tables, as it is written ten times an answer. */
export function similarityText(shared: number, total: number): string {
  if (total === 0) return '0';
  const millionths = Math.round((shared / total) * 1e6);
  if (millionths >= 1e6) return '1';
  const high = (millionths / 1000) | 0;
  const low = millionths - high * 1000;
  return low === 0 ? ALL_THREE[high]! : FIRST_THREE[high]! + WITHOUT_ZEROS[low]!;
}

/** A figure in [0, 1] with at most six decimals. */
export function sixDecimals(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
