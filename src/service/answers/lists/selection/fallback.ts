/**
 * What fills a list that is shorter than was asked for, behind all that is related: pages of the same site, or new ones.
 *
 *   site    those of the page's host whose URLs share the most leading characters with its own, then those of other hosts
 *           of its site in the order of their URLs
 *   recent  the latest published, then what does not say when it was, of the latest sweep first
 *
 * They pass the filters of the list, were read and are there, and none is the page itself, is listed, or is a near copy of what is.
 */
import type { Reads } from '../../../reads/reads.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';
import { NearCopies, NearCopySource } from '../../copies/near-copies.ts';
import type { PageFilter, Subject } from './page-filter.ts';

/** Pages that are looked at together, at first. */
const FIRST_PIECE = 64;
/** Of a site, in the order of URLs. */
const SITE_PIECE = 500;
/** To look at a page: its name, whether it is there, and filters. */
const LOOK_US = 4;

/** Where pages come from, best first; a page may come again. */
const SOURCES: Readonly<
  Record<Exclude<Narrowing['fallback'], 'none'>, (reads: Reads, subject: Subject) => AsyncIterable<number[]>>
> = { site: pagesOfSite, recent: newestPages };

/** Up to `count` pages that go behind those that are listed. */
export async function fallbackPages(
  reads: Reads,
  filter: PageFilter,
  fallback: keyof typeof SOURCES,
  siteCap: number | undefined,
  listed: Uint32Array,
  count: number,
): Promise<number[]> {
  const { subject } = filter;
  const twins = await subject.twins();
  const met = new Set([...listed, ...twins]);
  const copies = new NearCopies(filter.copies ?? new NearCopySource(reads));
  for (const pageId of met) await copies.add(pageId);
  const ofSite = new Map<number, number>();
  const addToSite = (siteId: number) => ofSite.set(siteId, (ofSite.get(siteId) ?? 0) + 1);
  for (const { siteId } of await reads.heads(listed)) addToSite(siteId);
  const most = siteCap ?? Number.POSITIVE_INFINITY;
  const taken: number[] = [];
  for await (const piece of SOURCES[fallback](reads, subject)) {
    const ids = piece.filter((pageId) => !met.has(pageId));
    reads.work.spend(ids.length * LOOK_US);
    const [heads, passes] = await Promise.all([reads.heads(ids), filter.accept?.(ids)]);
    for (const [i, pageId] of ids.entries()) {
      met.add(pageId);
      const { siteId, fetched } = heads[i]!;
      if (!fetched || passes?.[i] === false || (ofSite.get(siteId) ?? 0) >= most) continue;
      if ((await reads.isGone(pageId)) || (await copies.originalOf(pageId)) >= 0) continue;
      await copies.add(pageId);
      addToSite(siteId);
      if (taken.push(pageId) === count) return taken;
    }
  }
  return taken;
}

async function* pagesOfSite(reads: Reads, { url, site }: Subject): AsyncIterable<number[]> {
  const name = await site();
  if (name === null) return;
  for (let count = FIRST_PIECE; url !== null; count *= 4) {
    const near = await reads.nearestUrls(url, count);
    yield near.map(({ pageId }) => pageId);
    if (near.length < count) break;
  }
  reads.work.spend(reads.facts.pageCount);
  for (let from = 0; ; ) {
    const ids = await reads.sitePages(name, from, SITE_PIECE);
    yield [...ids];
    if (ids.length < SITE_PIECE) return;
    from = ids.at(-1)! + 1;
  }
}

async function* newestPages(reads: Reads): AsyncIterable<number[]> {
  for (let count = FIRST_PIECE; ; count *= 4) {
    const pages = await reads.recent(count);
    yield pages.map(({ pageId }) => pageId);
    if (pages.length < count) return;
  }
}
