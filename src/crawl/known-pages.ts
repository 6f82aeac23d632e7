import type { FetchedPage } from '../store/frontier/records.ts';
import { IndexReader } from '../store/read/reader.ts';

/**
 * The fetched pages of an index as a crawl would know them: when each was fetched last, and how often its text was
 * another than the time before. Pages that are gone are included: they may be back.
 */
export function* knownPages(indexPath: string): Generator<FetchedPage> {
  using reader = IndexReader.open(indexPath);
  for (let id = 0; id < reader.pageCount; id++) {
    const captures = reader.captures(id).filter(({ fetchedAtMs }) => fetchedAtMs > 0);
    const last = captures.at(-1);
    if (last === undefined) continue;
    let changes = 0;
    for (let i = 1; i < captures.length; i++) {
      if (captures[i]!.versionId !== captures[i - 1]!.versionId) changes++;
    }
    yield {
      url: reader.page(id).url,
      fetchedAtMs: last.fetchedAtMs,
      etag: null,
      lastModified: null,
      digest: new Uint8Array(),
      depth: 1,
      visits: captures.length,
      changes,
      firstAtMs: captures[0]!.fetchedAtMs,
    };
  }
}
