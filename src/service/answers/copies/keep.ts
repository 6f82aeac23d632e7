/** Which page of a group of copies stays, where only one of them is wanted. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UNDATED_MS } from '../../../store/records.ts';
import { siteOf } from '../../../url/site.ts';
import type { Reads } from '../../reads/reads.ts';
import { stateOf } from '../pages/last-seen.ts';

/**
 * first: the first in the order of URLs. oldest: the one known earliest, by what it says of its own publication or by its first
 * capture. longest: the most words. canonical: the one that most other addresses lead to, then that with the most links to it,
 * then the shortest URL. Ties go to the first. A page that is lost stays only where all are.
 */
export const KEEPS = ['first', 'oldest', 'longest', 'canonical'] as const;
type Keep = (typeof KEEPS)[number];

/** Where the reader of a copy is, and which language is wanted. */
export interface Reader {
  /** URL of a page or a site. */
  readonly near: string | null;
  /** Primary subtag. */
  readonly lang: string | null;
}

/** Pages judged in one turn of the event loop: some 10 ms. */
const PIECE = 256;

/** Sort keys of a page: compared from left to right, greater wins. */
type Worth = readonly number[];

const WORTHS: Readonly<Record<Keep, (reads: Reads, pageId: number) => Promise<Worth>>> = {
  first: async () => [],
  oldest: async (reads, pageId) => {
    const [captures, card] = await Promise.all([reads.captures(pageId), reads.pageCard(pageId)]);
    const times = captures.map(({ fetchedAtMs }) => fetchedAtMs).filter((ms) => ms !== UNDATED_MS);
    const publishedMs = card?.publishedAt == null ? Number.NaN : Date.parse(card.publishedAt);
    if (!Number.isNaN(publishedMs)) times.push(publishedMs);
    return [-Math.min(...times)];
  },
  longest: async (reads, pageId) => {
    const versionId = await reads.currentVersion(pageId);
    return [versionId < 0 ? 0 : (await reads.version(versionId)).tokenCount];
  },
  canonical: async (reads, pageId) => {
    const [aliases, page] = await Promise.all([reads.aliases(pageId), reads.page(pageId)]);
    return [aliases.length, page.inLinkCount, -page.url.length];
  },
};

/** The page that stays, of at least one. */
export function keptPage(reads: Reads, keep: Keep, pageIds: readonly number[]): Promise<number> {
  return bestPage(reads, pageIds, (pageId) => WORTHS[keep](reads, pageId));
}

/**
 * The copy that is best for a reader: in the language, then on the same site, then under the most equal last labels of the host
 * (`example.de` is nearer to `other.de` than to `other.com`), then with the most equal first parts of the path.
 */
export function nearestCopy(
  reads: Reads,
  { near, lang }: Reader,
  pageIds: readonly number[],
): Promise<number> {
  return bestPage(reads, pageIds, async (pageId) => {
    const page = await reads.page(pageId);
    const isInLanguage = Number(lang !== null && page.lang === lang);
    return near === null ? [isInLanguage] : [isInLanguage, ...nearness(page.url, near)];
  });
}

function nearness(url: string, near: string): Worth {
  const [one, other] = [new URL(url), new URL(near)];
  const labels = ({ hostname }: URL) => hostname.split('.').reverse();
  const isOneSite = Number(siteOf(url) === siteOf(near));
  return [isOneSite, commonStart(labels(one), labels(other)), commonStart(partsOf(one), partsOf(other))];
}

function partsOf({ pathname }: URL): string[] {
  return pathname.split('/').slice(1);
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((one, i) => one !== b[i]);
  return end < 0 ? a.length : end;
}

/** Piece by piece, one round over servers each: between two of them the event loop goes on, for groups have thousands of pages. */
async function bestPage(
  reads: Reads,
  pageIds: readonly number[],
  worthOf: (pageId: number) => Promise<Worth>,
): Promise<number> {
  const judge = async (pageId: number) => {
    const [{ state }, worth] = await Promise.all([stateOf(reads, pageId), worthOf(pageId)]);
    return { pageId, worth: [Number(state === 'current'), ...worth] };
  };
  // Ids of pages that wait follow those of the index.
  const heads = await reads.heads(pageIds);
  const byUrl = heads.map(({ url }, i) => ({ url, pageId: pageIds[i]! }));
  const ordered = byUrl.sort((a, b) => (a.url < b.url ? -1 : 1)).map(({ pageId }) => pageId);
  let best = await judge(ordered[0]!);
  for (let from = 1; from < ordered.length; from += PIECE) {
    if (from > 1) await nextTurn();
    for (const one of await Promise.all(ordered.slice(from, from + PIECE).map(judge)))
      if (isGreater(one.worth, best.worth)) best = one;
  }
  return best.pageId;
}

function isGreater(a: Worth, b: Worth): boolean {
  const place = a.findIndex((value, i) => value !== b[i]);
  return place >= 0 && a[place]! > b[place]!;
}
