import { openSource } from '../../sources/open-source.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { captureLine, goneLine, isNoPage } from './capture-lines.ts';

/** What a sweep says of a URL that is no page by itself. */
export interface OtherLine {
  readonly url: string;
  readonly kind: 'redirect' | 'noindex' | 'gone';
  /** Where a redirect leads, or what a copy is a copy of; else ''. */
  readonly to: string;
}

/**
 * What the archives of a sweep say of pages, as records of JSON, one a line: what is a page, and what is none any more. `leftOut` is
 * called with what they say of the latter besides.
 */
export async function* sweepLines(
  paths: readonly string[],
  maxPageBytes: number,
  leftOut: (other: OtherLine) => void,
): AsyncGenerator<string> {
  for (const path of paths) {
    for await (const item of (
      await openSource(path, { maxPageBytes, baseUrl: null, format: null })
    ).items()) {
      const { url } = item;
      const isFault = item.kind === 'fault';
      const line = isFault ? null : captureLine(item);
      if (line !== null) {
        yield line;
        continue;
      }
      if (url === null || !isNoPage(item)) continue;
      const to = isFault || item.location === null ? '' : (canonicalUrl(item.location, url) ?? '');
      leftOut({ url, kind: isFault ? 'gone' : item.location === null ? 'noindex' : 'redirect', to });
      yield goneLine(url, item.fetchedAtMs ?? null);
    }
  }
}
