import { CanonicalResolver, TOO_LONG } from '../url/http-reference.ts';
import type { ExtractedPage, PageLink, PageLinks } from './extracted-page.ts';
import type { WrittenLinks } from './html/html-kernel.ts';

const NO_CREDIT = /(?:^|\s)(?:nofollow|ugc|sponsored)(?:\s|$)/i;

/** Resolves the links of a page against its base, which may stand anywhere in it. */
export function resolvedLinks(written: WrittenLinks, base: string): PageLinks {
  const kept: PageLink[] = [];
  const resolver = new CanonicalResolver(base);
  let tooLongCount = 0;
  for (let link = 0; link < written.count; link++) {
    const target = resolver.resolve(written.href(link));
    if (target === TOO_LONG) tooLongCount++;
    else if (target !== null) {
      const rel = written.rel(link);
      const nofollow = rel !== '' && NO_CREDIT.test(rel);
      kept.push({ target, start: written.start(link), end: written.end(link), nofollow });
    }
  }
  return { kept, droppedCount: written.droppedCount + tooLongCount };
}

/** URLs that a page credits, once for each link. */
export function creditedTargets(page: Pick<ExtractedPage, 'nofollow' | 'links'>): string[] {
  if (page.nofollow) return [];
  return page
    .links()
    .kept.filter(({ nofollow }) => !nofollow)
    .map(({ target }) => target);
}
