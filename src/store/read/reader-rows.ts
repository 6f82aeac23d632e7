/** The rows that the reader of an index asks for, and what each column of them has to be. */
import type { AliasRecord, CaptureRecord, FeatureRecord, SkipRecord, StoredPage } from '../records.ts';
import { rowShape } from '../stored-values.ts';

type PageRow = Omit<StoredPage, 'fetched'> & { readonly fetched: number };

export const PAGE_SQL = `SELECT page.id, url, site.name AS site, site_id AS siteId, title,
  coalesce(full_title, title) AS fullTitle, lang, fetched, word_count AS wordCount,
  in_link_count AS inLinkCount, out_link_count AS outLinkCount FROM page JOIN site ON site.id = site_id`;
export const PAGE_ROW = rowShape<PageRow>('page', {
  id: 'count',
  url: 'url',
  site: 'text',
  siteId: 'count',
  title: 'text',
  fullTitle: 'text',
  lang: 'text or null',
  fetched: 'count',
  wordCount: 'count',
  inLinkCount: 'count',
  outLinkCount: 'count',
});
export const FEATURE_SQL = `SELECT id, part, stem, term, page_count AS pageCount FROM feature WHERE relation_id = ?`;
export const FEATURE_ROW = rowShape<FeatureRecord>('feature', {
  id: 'count',
  part: 'text',
  stem: 'text',
  term: 'text',
  pageCount: 'count',
});
export const PART_ROW = rowShape<{ name: string; pageCount: number }>('part', {
  name: 'text',
  pageCount: 'count',
});
export const SKIP_ROW = rowShape<SkipRecord>('skip', {
  sweepId: 'count',
  reason: 'text',
  extension: 'text',
  recordCount: 'count',
});
export const ALIAS_ROW = rowShape<AliasRecord & { pageId: number }>('alias', {
  url: 'url',
  pageId: 'count',
  kind: 'text',
});
export const CAPTURE_ROW = rowShape<CaptureRecord>('capture', {
  sweepId: 'count',
  sweep: 'text',
  fetchedAtMs: 'time',
  mediaType: 'text',
  charset: 'text',
  bodyBytes: 'count',
  versionId: 'number',
});
/** Packed columns of a page. */
export const NEIGHBOR_ROW = rowShape<PageBlob>('neighbor', { pageId: 'count', entries: 'bytes' });
export const BAG_ROW = rowShape<PageBlob>('bag', { pageId: 'count', entries: 'bytes' });
export const LINK_ROW = rowShape<PageBlob>('link', { pageId: 'count', entries: 'bytes' });
/** Packed columns of a block of pages. */
export const SUM_ROW = rowShape<BlockBlob>('bag_sum', { block: 'count', entries: 'bytes' });
export const POSTING_ROW = rowShape<BlockBlob>('posting', { block: 'count', entries: 'bytes' });
/** Pages that are gone and whose URL is an alias now. */
export const LEADING_SQL = 'FROM gone JOIN page ON page.id = gone.page_id JOIN alias ON alias.url = page.url';

interface PageBlob {
  readonly pageId: number;
  readonly entries: Uint8Array;
}

interface BlockBlob {
  readonly block: number;
  readonly entries: Uint8Array;
}
