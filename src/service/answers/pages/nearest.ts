import type { Generation } from '../../held/generation.ts';
import { checkedUrl } from '../../held/stored-catalog.ts';

const NEAREST = 3;

/**
 * Pages that somebody may have meant by the canonical URL of none: its other spellings (http or https, with or without
 * www.), then the pages whose URLs share the most with it, of its host alone.
 */
export function similarUrls({ catalog, reader }: Generation, url: string): string[] {
  const spellings = spellingsOf(url);
  const found = new Set<string>();
  for (const spelling of spellings) {
    const pageId = catalog.findMentioned(spelling);
    if (pageId >= 0) found.add(checkedUrl(reader.page(catalog.successor(pageId)).url));
  }
  for (const spelling of spellings) {
    if (found.size >= NEAREST) break;
    for (const page of reader.nearestUrls(spelling, NEAREST)) found.add(checkedUrl(page.url));
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
