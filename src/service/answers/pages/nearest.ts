import { checkedUrl } from '../../http/checked-url.ts';
import { ahead } from '../../reads/ahead.ts';
import type { Reads } from '../../reads/reads.ts';

const NEAREST = 3;

/**
 * Pages that somebody may have meant by the canonical URL of none: its other spellings (http or https, with or without
 * www.), then the pages whose URLs share the most with it, of its host alone.
 */
export async function similarUrls(reads: Reads, url: string): Promise<string[]> {
  const spellings = spellingsOf(url);
  const meant = await Promise.all(
    spellings.map(async (spelling) => {
      const pageId = await reads.idOf(spelling);
      return pageId < 0 ? [] : [(await reads.page(await reads.successor(pageId))).url];
    }),
  );
  const found = new Set(meant.flat().map(checkedUrl));
  if (found.size >= NEAREST) return [...found].slice(0, NEAREST);
  for await (const [, pages] of ahead(reads, spellings, (one) => reads.nearestUrls(one, NEAREST))) {
    for (const page of pages) found.add(checkedUrl(page.url));
    if (found.size >= NEAREST) break;
  }
  return [...found].slice(0, NEAREST);
}

function spellingsOf(url: string): string[] {
  const [scheme, rest] = url.split('://', 2) as [string, string];
  const bare = rest.startsWith('www.') ? rest.slice(4) : `www.${rest}`;
  const other = scheme === 'https' ? 'http' : 'https';
  const spellings = [url, `${other}://${rest}`, `${scheme}://${bare}`, `${other}://${bare}`];
  // An address, such as 10.0.0.1, has no www.
  return spellings.filter((spelling) => URL.canParse(spelling));
}
