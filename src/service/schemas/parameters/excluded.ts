/** What `exclude` leaves out: a page, pages by the beginning of their URLs, or a site. */
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { siteNamed } from '../../../url/site.ts';
import { type FilterPages, type FilterSubject, notAmong } from './list-filter.ts';

/** In its one form: a canonical URL, the beginning of one with a `*` behind it, or a site; null for what is none of them. */
export function excludedForm(text: string): string | null {
  if (!text.includes('://')) return text.includes('.') ? siteNamed(text) : null;
  // Elsewhere it would stand for itself, which no one means.
  if (text.slice(0, -1).includes('*')) return null;
  return text.endsWith('*') ? beginningForm(text.slice(0, -1)) : canonicalUrl(text);
}

/** The URL of a page as an entry that stands for this page alone: a `*` of its own is written %2A. */
export function onlyPage(url: string): string {
  return url.replaceAll('*', '%2A');
}

/** What may follow a beginning: alone it could lose its end, as `/list?` its question mark, and stand for more. */
const MORE = 'x';

function beginningForm(beginning: string): string | null {
  // Of a host alone, all its pages: what is typed without the slash is no other host.
  const isHost = /^[^:]*:\/\/[^/?#]*$/.test(beginning);
  const url = canonicalUrl(`${beginning}${isHost ? '/' : ''}${MORE}`);
  return url?.endsWith(MORE) ? `${url.slice(0, -MORE.length)}*` : null;
}

interface Excluded {
  readonly pageIds: readonly number[];
  readonly beginnings: readonly string[];
  readonly sites: readonly string[];
}

export async function wantedExcluded(texts: readonly string[], subject: FilterSubject): Promise<Excluded> {
  const beginnings = texts.filter((text) => text.endsWith('*'));
  const sites = texts.filter((text) => !text.includes('://'));
  const urls = texts.filter((text) => !beginnings.includes(text) && !sites.includes(text));
  const spelled = urls.flatMap((url) => [...new Set([url, url.replaceAll('%2A', '*')])]);
  const pageIds = await Promise.all(spelled.map((url) => subject.find(url)));
  return {
    pageIds: pageIds.filter((pageId) => pageId >= 0),
    beginnings: beginnings.map((text) => text.slice(0, -1)),
    sites,
  };
}

export function notExcluded(
  { pageIds, beginnings, sites }: Excluded,
  pages: FilterPages,
): (pageId: number) => boolean {
  const isOther = notAmong(pageIds, pages);
  const hidden = new Set(sites.map((site) => pages.findSite(site)).filter((site) => site >= 0));
  return (pageId) =>
    isOther(pageId) &&
    !(hidden.size > 0 && hidden.has(pages.site(pageId))) &&
    !(beginnings.length > 0 && beginnings.some((beginning) => pages.url(pageId).startsWith(beginning)));
}
