import { cutText } from '../../lib/cut-text.ts';
import { firstWords } from '../../lib/first-words.ts';
import { isDay } from '../../lib/utc-ms.ts';
import { MAX_URL_LENGTH } from '../../url/canonical-url.ts';
import { tidyLine } from '../html/page-text.ts';

/** What a page says of itself for others to show; null where it does not say. */
export interface PageCard {
  /** Absolute http(s) URL. */
  readonly image: string | null;
  /** At most 300 characters. */
  readonly description: string | null;
  /** `2024-05-01`, or in UTC `2024-05-01T10:00:00Z`. */
  readonly publishedAt: string | null;
  readonly modifiedAt: string | null;
  readonly siteName: string | null;
}

export const NO_CARD: PageCard = {
  image: null,
  description: null,
  publishedAt: null,
  modifiedAt: null,
  siteName: null,
};

/** Whether a page says that it was published at a date of the form of `publishedAt`, or later. A day begins at midnight. */
export function isPublishedSince(card: PageCard | null, date: string): boolean {
  return card !== null && card.publishedAt !== null && timeOf(card.publishedAt) >= timeOf(date);
}

/** Whether it says that it was published earlier. */
export function isPublishedBefore(card: PageCard | null, date: string): boolean {
  return card !== null && card.publishedAt !== null && timeOf(card.publishedAt) < timeOf(date);
}

function timeOf(date: string): string {
  return date.includes('T') ? date : `${date}T00:00:00Z`;
}

const MAX_DESCRIPTION_LENGTH = 300;
const MAX_NAME_LENGTH = 100;
/** What is longer is cut before it is tidied. */
const MAX_READ_LENGTH = 4096;
const DATE = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:[.,]\d{1,9})?\s?(Z|[+-]\d\d:?\d\d)?)?\s*$/i;
/** Earlier years are what programs write that know none. */
const FIRST_YEAR = '1000';

/** The URL of an image; null for one that is too long or not of the web, and for one that is relative unless there is a `base`. */
export function imageUrl(text: string | null, base?: string): string | null {
  if (text === null || text.length > MAX_URL_LENGTH || text.trim() === '') return null;
  if (base === undefined && !/^\s*https?:\/\//i.test(text)) return null;
  const { href, protocol } = URL.parse(text, base) ?? { href: '', protocol: '' };
  return !/^https?:$/.test(protocol) || href.length > MAX_URL_LENGTH ? null : href;
}

export function descriptionOf(text: string | null): string | null {
  return tidied(text, MAX_DESCRIPTION_LENGTH);
}

export function siteNameOf(text: string | null): string | null {
  return tidied(text, MAX_NAME_LENGTH);
}

/** One line, cut at the end of a word where it is too long; null where nothing is left. */
function tidied(text: string | null, maxLength: number): string | null {
  if (text === null) return null;
  const line = tidyLine(cutText(text, MAX_READ_LENGTH));
  if (line === '') return null;
  if (line.length <= maxLength) return line;
  return `${firstWords(line, maxLength - 1)}…`;
}

/**
 * A date of ISO 8601 as a card holds it: a day as it is, a time in UTC to the second. A time of no zone is the day that
 * it names. Null for what is no date.
 */
export function cardDate(text: string | null): string | null {
  const [, day, time, seconds = ':00', zone] = (text !== null && DATE.exec(text)) || [];
  if (day === undefined || day < FIRST_YEAR || !isDay(day)) return null;
  if (time === undefined || zone === undefined) return day;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  const atMs = Date.parse(`${day}T${time}${seconds}${offset}`);
  return Number.isNaN(atMs) ? null : `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
