const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
};
const FRESH = /^fresh:([1-9]\d{0,3})([hdwy])$/;

/** The age of `fresh:30d`, in milliseconds; null for another text. */
export function freshAgeMs(boost: string): number | null {
  const [, count, unit] = FRESH.exec(boost) ?? [];
  return count === undefined ? null : Number(count) * UNITS[unit!]!;
}
