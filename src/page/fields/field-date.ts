import { isDay } from '../../lib/utc-ms.ts';

/** The time that a date stands for, in milliseconds since 1970, its first and its last one. */
type DateSpan = readonly [fromMs: number, toMs: number];

const DAY_MS = 86_400_000;
const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A day, which lasts until its midnight, or a moment, of ISO 8601: `2024-05-01`, `2024-05-01T10:00:00+02:00`. All is UTC where no
 * zone is named. Null for what is no date.
 */
export function dateSpan(text: string): DateSpan | null {
  const [, day, time, seconds = ':00', zone = 'Z'] = DATE.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  if (time === undefined) {
    const midnight = Date.parse(day);
    return [midnight, midnight + DAY_MS - 1];
  }
  const atMs = Date.parse(`${day}T${time}${seconds}${zone}`);
  return Number.isNaN(atMs) ? null : [atMs, atMs];
}
