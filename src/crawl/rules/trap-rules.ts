/**
 * Crawler traps that can be recognized by the URL alone: endless paths of relative links, filters combined with
 * filters. Traps with harmless URLs are recognized by their content: see `copy-stop.ts`.
 *
 * Measured  of 980 URLs on which an old crawl of one university got lost, 309 repeat a segment of their canonical path
 *           three times or more: all are refused.
 */

export type Trap = 'long' | 'deep' | 'repeated' | 'query';

const MAX_LENGTH = 1024;
const MAX_SEGMENTS = 24;
/** Times that one segment of a path may stand in it; dates and ids repeat by chance, `/a/b/a/b/a/b/` does not. */
const MAX_REPEATS = 2;
/** Numbers repeat without harm: /2019/11/11/11/. */
const NUMBER = /^\d*$/;
/**
 * Queries of one path with one parameter; each more parameter divides it by ten, so that lists of ids are whole and
 * combinations end.
 */
const MAX_QUERIES = 100_000;
const MIN_QUERIES = 100;

/** What is wrong with a canonical URL by itself, or null. */
export function trapOf(url: string): Trap | null {
  if (url.length > MAX_LENGTH) return 'long';
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const segments = path.split('/').slice(3);
  if (segments.length > MAX_SEGMENTS) return 'deep';
  if (segments.length <= MAX_REPEATS) return null;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    if (NUMBER.test(segment)) continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATS) return 'repeated';
    counts.set(segment, count);
  }
  return null;
}

/** The path of a URL with the number of its parameters, and how many of that are followed; null for a URL without query. */
export function queryBound(url: string): { readonly family: string; readonly limit: number } | null {
  const mark = url.indexOf('?');
  if (mark < 0) return null;
  const count = url.slice(mark + 1).split(/[&;]/).length;
  const limit = Math.max(MIN_QUERIES, MAX_QUERIES / 10 ** (count - 1));
  return { family: `${url.slice(0, mark)}?${count}`, limit };
}
