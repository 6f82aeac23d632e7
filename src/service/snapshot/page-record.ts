/**
 * A page as a snapshot holds it: the id of its site and whether it was fetched in one word, then its name in a list, as UTF-8. What
 * stands before and behind it is the same for all pages, and a sixth of their memory.
 *
 *   ....http://a/","title":"A"
 */
import { checkedUrl } from '../http/checked-url.ts';

/** Of the word that a record begins with, which is wanted when its name is. */
export const TRAITS_BYTES = 4;
/** Behind the ids of sites. */
const FETCHED = 2 ** 31;
/** In a JSON object before the name of a page. */
export const NAME_START = '"url":"';
const TITLE_PART = '","title":';
const QUOTE = 0x22;

/** URL and title, to stand behind `NAME_START`. */
export function pageName({ url, title }: { readonly url: string; readonly title: string }): string {
  return `${checkedUrl(url)}${TITLE_PART}${JSON.stringify(title)}`;
}

export function traitsWord({
  siteId,
  fetched,
}: {
  readonly siteId: number;
  readonly fetched: boolean;
}): number {
  return fetched ? siteId + FETCHED : siteId;
}

/** URL and title of the record that ends at `end`. */
export function nameIn(records: Buffer, start: number, end: number): { url: string; title: string } {
  const name = records.toString('utf8', start + TRAITS_BYTES, end);
  const urlEnd = name.indexOf('"');
  const title = name.slice(urlEnd + TITLE_PART.length);
  return {
    url: name.slice(0, urlEnd),
    title: title.includes('\\') ? (JSON.parse(title) as string) : title.slice(1, -1),
  };
}

/** As `traitsWord` makes it. */
export function traitsIn(records: Buffer, start: number): number {
  return (
    (records[start]! |
      (records[start + 1]! << 8) |
      (records[start + 2]! << 16) |
      (records[start + 3]! << 24)) >>>
    0
  );
}

export function siteOfTraits(word: number): number {
  return word & (FETCHED - 1);
}

export function isFetched(word: number): boolean {
  return word >= FETCHED;
}

/** URLs are ASCII, so a unit is a byte. */
export function hasUrl(records: Buffer, start: number, url: string): boolean {
  const from = start + TRAITS_BYTES;
  if (records[from + url.length] !== QUOTE) return false;
  for (let i = 0; i < url.length; i++) if (records[from + i] !== url.charCodeAt(i)) return false;
  return true;
}
