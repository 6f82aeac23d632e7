/**
 * A page as a snapshot holds it: the id of its site, then the item of a list as far as its similarity, as UTF-8.
 *
 *   ...."url":"http://a/","title":"A","fetched":true,"similarity":
 */
import { checkedUrl } from '../http/checked-url.ts';

/** A record begins with the id of the page's site, which is wanted when its item is. */
export const SITE_BYTES = 4;
const URL_PART = '"url":"';
const TITLE_PART = '","title":';
const URL_START = SITE_BYTES + URL_PART.length;
const FETCHED_BYTES = ',"fetched":true,"similarity":'.length;
const UNFETCHED_BYTES = ',"fetched":false,"similarity":'.length;
/** From the end of a record back to the first letter of `true`, which stands where `false` has its second. */
const TRUE_BYTES = 'true,"similarity":'.length;
const LETTER_T = 0x74;
const QUOTE = 0x22;

/** An item of a list as far as its similarity. */
export function pageItem({
  url,
  title,
  fetched,
}: {
  readonly url: string;
  readonly title: string;
  readonly fetched: boolean;
}): string {
  return `${URL_PART}${checkedUrl(url)}${TITLE_PART}${JSON.stringify(title)},"fetched":${fetched},"similarity":`;
}

/** Bytes of an item up to the end of the title. */
export function headLength(item: Buffer): number {
  return nameEnd(item, item.length);
}

/** URL and title of the record that ends at `end`. */
export function nameIn(records: Buffer, start: number, end: number): { url: string; title: string } {
  const head = records.toString('utf8', start + SITE_BYTES, nameEnd(records, end));
  const urlEnd = head.indexOf('"', URL_PART.length);
  const title = head.slice(urlEnd + TITLE_PART.length);
  return {
    url: head.slice(URL_PART.length, urlEnd),
    title: title.includes('\\') ? (JSON.parse(title) as string) : title.slice(1, -1),
  };
}

export function siteIn(records: Buffer, start: number): number {
  return (
    records[start]! + (records[start + 1]! << 8) + (records[start + 2]! << 16) + records[start + 3]! * 2 ** 24
  );
}

export function isFetched(records: Buffer, end: number): boolean {
  return records[end - TRUE_BYTES] === LETTER_T;
}

/** Where the title ends. */
export function nameEnd(records: Buffer, end: number): number {
  return end - (isFetched(records, end) ? FETCHED_BYTES : UNFETCHED_BYTES);
}

/** URLs are ASCII, so a unit is a byte. */
export function hasUrl(records: Buffer, start: number, url: string): boolean {
  const from = start + URL_START;
  if (records[from + url.length] !== QUOTE) return false;
  for (let i = 0; i < url.length; i++) if (records[from + i] !== url.charCodeAt(i)) return false;
  return true;
}
