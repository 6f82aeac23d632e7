/** A longer text is no date. */
const MAX_CHARS = 100;
/** Years above 9999 have a sign and six digits. */
const ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?!\d)/;
/** As HTTP and mail write it: 05/04/2024 is of May or of April. */
// bounded: MAX_CHARS
const NAMED = /^(?=.*\d{4}).*(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;
// bounded: MAX_CHARS
const HAS_ZONE =
  /\d.*(?:(?<![a-z])(?:z|gmt|utc?|[ecmp][sd]t)|(?::\d\d(?:\.\d+)?|(?<![a-z])(?:gmt|utc)) *[+-]\d\d(?::?\d\d)?)(?: *\([^)]*\))?$/i;

/**
 * Milliseconds since 1970 of a date of ISO 8601, or with the name of its month and four digits of its year, in UTC where it names no zone,
 * wherever the machine is; NaN for what is none, and for a day of ISO 8601 that no month has.
 */
export function utcMs(text: string): number {
  if (text.length > MAX_CHARS) return Number.NaN;
  const [day] = ISO.exec(text) ?? [];
  if (!(day === undefined ? NAMED.test(text) : isDay(day))) return Number.NaN;
  if (DAY.test(text) || HAS_ZONE.test(text)) return Date.parse(text);
  const [, date, time] = TIME.exec(text) ?? [];
  return Date.parse(date === undefined ? `${text} UTC` : `${date}T${time}Z`);
}

/** Whether there is a day such as 2024-02-29: `Date.parse` takes the 30th of February for the 1st of March. */
export function isDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
}
