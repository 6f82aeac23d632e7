import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { countPage } from '../../src/features/counts/page-counts.ts';
import { decodeBody } from '../../src/page/decode.ts';
import { extractPage } from '../../src/page/extract-page.ts';
import { openSource } from '../../src/sources/open-source.ts';
import { builtInStopWords } from '../../src/text/stop-words.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';

/** The same words that the index has of a page's text: stem to count, by canonical URL; the last capture wins. */
export async function wordsOfPages(path: string): Promise<Map<string, ReadonlyMap<string, number>>> {
  const analyzer = new Analyzer({ stopWords: builtInStopWords(), spill() {} });
  const source = await openSource(path, { maxPageBytes: 10 * 2 ** 20, baseUrl: null, format: null });
  const pages = new Map<string, ReadonlyMap<string, number>>();
  for await (const item of source.items()) {
    if (item.kind === 'fault') continue;
    const url = canonicalUrl(item.url);
    const decoded = decodeBody(item.body, item.charset);
    if (url === null || decoded === null) continue;
    const page = extractPage(decoded.text, item.mediaType, url);
    pages.set(url, countPage(page, [], analyzer, { windowWords: 0 }).content.toMap());
  }
  return pages;
}
