/** The rows that the reader of an index asks for, and what each column of them has to be. */

import { PART_SQL } from '../part-codes.ts';
import type { AliasRecord, CaptureRecord, FeatureRecord, SkipRecord, StoredPage } from '../records.ts';
import { rowShape } from '../stored-values.ts';

type PageRow = Omit<StoredPage, 'fetched'> & { readonly fetched: number };

export const PAGE_ROW = rowShape<PageRow>('page JOIN site ON site.id = site_id', {
  id: ['count', 'page.id'],
  url: 'url',
  site: ['text', 'site.name'],
  siteId: 'count',
  title: 'text',
  fullTitle: ['text', 'coalesce(full_title, title)'],
  lang: 'text or null',
  fetched: 'count',
  wordCount: 'count',
  inLinkCount: 'count',
  outLinkCount: 'count',
});
export const FEATURE_ROW = rowShape<FeatureRecord>('feature', {
  id: 'count',
  part: ['text', PART_SQL],
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
export const CAPTURE_ROW = rowShape<CaptureRecord>(
  'capture JOIN sweep ON sweep.id = sweep_id JOIN encoding ON encoding.id = encoding_id',
  {
    sweepId: 'count',
    sweep: ['text', 'sweep.name'],
    fetchedAtMs: 'time',
    mediaType: 'text',
    charset: 'text',
    bodyBytes: 'count',
    versionId: ['number', 'coalesce(version_id, -1)'],
  },
);
/** Packed columns of a page. */
const ofPage = (table: string, column = 'entries') =>
  rowShape<PageBlob>(table, { pageId: 'count', entries: ['bytes', column] });
export const NEIGHBOR_ROW = ofPage('neighbor');
export const BAG_ROW = ofPage('bag');
export const SIGNATURE_ROW = ofPage('signature', 'minima');
export const LINK_ROW = ofPage('link', 'targets');
/** Packed columns of a block of pages. */
const ofBlock = (table: string, column: string) =>
  rowShape<BlockBlob>(table, { blockId: 'count', entries: ['bytes', column] });
export const SUM_ROW = ofBlock('bag_sum', 'sums');
export const POSTING_ROW = ofBlock('posting', 'entries');
/** Pages that are gone and whose URL is an alias now. */
export const LEADING_SQL = 'FROM gone JOIN page ON page.id = gone.page_id JOIN alias ON alias.url = page.url';

interface PageBlob {
  readonly pageId: number;
  readonly entries: Uint8Array;
}

interface BlockBlob {
  readonly blockId: number;
  readonly entries: Uint8Array;
}
