import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';
import { placeOfUrl } from './url-place.ts';

interface NamedPage {
  readonly pageId: number;
  readonly url: string;
}

const NAMED_ROW = rowShape<NamedPage>('page', { pageId: ['count', 'id'], url: 'url' });
/** Pages that are there; pages are numbered in the byte order of their URLs, so that neighbors are near. */
const THERE = 'WHERE id NOT IN (SELECT page_id FROM gone) AND id';

/**
 * The pages whose URLs share the most leading characters with `url`, of its own host alone: the most first, ties in
 * the order of URLs. For a canonical URL that need not be there. Looks at `count` before and as many behind it, gives `most`.
 */
export function nearestUrls(file: IndexFile, url: string, count: number, most = count): NamedPage[] {
  const host = new URL(url).origin.length + 1;
  const end = file.ownPageCount;
  const place = placeOfUrl(file, 'page', url, 0, end);
  const before = file.all(NAMED_ROW, `${THERE} < ? ORDER BY id DESC LIMIT ?`, place, count);
  const which = `${THERE} >= ? AND id < ? AND url <> ? ORDER BY id LIMIT ?`;
  const behind = file.all(NAMED_ROW, which, place, end, url, count);
  const near = [...before, ...behind].filter((page) => sharedLength(page.url, url) >= host);
  return mostAlike(near, url).slice(0, most);
}

/** Pages in the order of how many leading characters their URLs share with one, ties in the order of URLs. */
export function mostAlike<Page extends { readonly url: string }>(
  pages: readonly Page[],
  url: string,
): Page[] {
  return pages
    .map((page) => ({ page, shared: sharedLength(page.url, url) }))
    .sort((a, b) => b.shared - a.shared || (a.page.url < b.page.url ? -1 : 1))
    .map(({ page }) => page);
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
