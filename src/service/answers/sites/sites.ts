/** The bodies of GET /sites and GET /pages, made on a thread: each walks over the pages of the whole index. */
import { domainToUnicode } from 'node:url';
import type { SiteCount } from '../../../store/read/pages/site-pages.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { type ListQuestion, makeCursor } from '../../http/question/request-key.ts';
import type { Head, Reads } from '../../reads/reads.ts';
import type { SitePagesAnswer, SitesAnswer } from '../../schemas/answers/site-answers.ts';
import type { SitePagesQuery, SitesQuery } from '../../schemas/parameters/parameters.ts';
import { listCards } from '../passages/list-cards.ts';

/** Pages of a site that are looked at together, and for one answer. */
const PIECE = 500;
const MAX_LOOKED_AT = 50_000;

export async function sitesAnswer(
  reads: Reads,
  { query: { name, limit }, offset, hash }: ListQuestion<SitesQuery>,
): Promise<SitesAnswer> {
  const sought = name?.toLowerCase() ?? '';
  const found = (await reads.siteCounts()).filter(({ site }) => isNamedBy(site, sought)).sort(largestFirst);
  const end = offset + limit;
  return {
    generation: reads.facts.id,
    total: found.length,
    sites: found.slice(offset, end).map(({ site, pageCount, fetchedCount }) => {
      return { site, pages: pageCount, fetched_pages: fetchedCount };
    }),
    next: end < found.length ? makeCursor(reads.facts.state, hash, end) : null,
  };
}

/** As it is kept, or as people write it: `xn--mller-kva.example`, `müller.example`. */
function isNamedBy(site: string, part: string): boolean {
  return site.includes(part) || (site.includes('xn--') && domainToUnicode(site).includes(part));
}

function largestFirst(a: SiteCount, b: SiteCount): number {
  return b.fetchedCount - a.fetchedCount || b.pageCount - a.pageCount || (a.site < b.site ? -1 : 1);
}

export async function sitePagesAnswer(
  reads: Reads,
  { query, offset, hash }: ListQuestion<SitePagesQuery>,
): Promise<SitePagesAnswer> {
  const { site, limit } = query;
  const found: { id: number; head: Head }[] = [];
  let from = offset;
  let isAll = false;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT && found.length <= limit && !isAll; lookedAt += PIECE) {
    const ids = await reads.sitePages(site, from, PIECE);
    const heads = await reads.heads(ids);
    for (const [i, head] of heads.entries()) if (passes(head, query)) found.push({ id: ids[i]!, head });
    isAll = ids.length < PIECE;
    from = (ids.at(-1) ?? 0) + 1;
  }
  const shown = found.slice(0, limit);
  const cards = await listCards(
    reads,
    shown.map(({ id }) => id),
    shown.map(({ head }) => head),
  );
  // What was found beyond the limit comes first next time.
  const nextId = found[limit]?.id ?? (isAll ? null : from);
  return {
    site,
    generation: reads.facts.id,
    pages: shown.map(({ head: { url, title, lang, fetched } }, i) => {
      return { url: checkedUrl(url), title, lang, fetched, ...cards[i] };
    }),
    next: nextId === null ? null : makeCursor(reads.facts.state, hash, nextId),
  };
}

function passes(head: Head, { lang, fetched }: SitePagesQuery): boolean {
  return (lang === undefined || head.lang === lang) && (fetched === 'include' || head.fetched);
}
