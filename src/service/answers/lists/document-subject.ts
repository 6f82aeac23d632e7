import { reachesShare } from '../../../lib/reaches-share.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import { type PageFields, readFields } from '../../../page/fields/page-fields.ts';
import { COPY } from '../../../relations/copy.ts';
import { siteOf } from '../../../url/site.ts';
import type { Reads } from '../../reads/reads.ts';
import { copiesOfWording } from '../copies/copy-search.ts';
import { copySource } from '../copies/copy-source.ts';
import { NEAR_COPY } from '../copies/near-copies.ts';
import { documentWording } from '../copies/wording.ts';
import { linkedPages, type PostedDocument } from '../documents/document.ts';
import type { Subject } from './selection/page-filter.ts';

/** A posted document as the one whose neighbors are listed, and the page it is known as, -1 for none. */
export async function documentSubject(
  reads: Reads,
  { url, fields }: PostedDocument,
  page: ExtractedPage,
): Promise<{ readonly subject: Subject; readonly pageId: number }> {
  const [pageId, siteId] =
    url === null ? [-1, -1] : await Promise.all([reads.idOf(url), reads.siteId(siteOf(url))]);
  const subject: Subject = {
    url,
    siteId,
    site: async () => (url === null ? null : siteOf(url)),
    lang: async () => page.lang ?? (pageId < 0 ? null : (await reads.heads([pageId]))[0]!.lang),
    publishedAt: async () =>
      page.card().publishedAt ?? (pageId < 0 ? null : ((await reads.pageCard(pageId))?.publishedAt ?? null)),
    fields: async () => fields ?? headFields(page) ?? (pageId < 0 ? {} : reads.pageFields(pageId)),
    links: () => linkedPages(reads, page),
    isGone: () => false,
    twins: () => twinsOfDocument(reads, page, url, pageId),
  };
  return { subject, pageId };
}

/** Those in the head of a document; undefined for none, and for what cannot be used. */
function headFields({ fields }: ExtractedPage): PageFields | undefined {
  const read = fields === undefined ? '' : readFields(fields);
  return typeof read === 'string' ? undefined : read;
}

/** The page that a document is known as, and those that have its wording now. */
async function twinsOfDocument(
  reads: Reads,
  page: ExtractedPage,
  url: string | null,
  pageId: number,
): Promise<number[]> {
  const twins = pageId < 0 ? [] : [pageId];
  if (!reads.facts.holds(COPY.name)) return twins;
  const source = copySource(reads);
  const wording = documentWording(source, page, url);
  const { span } = await copiesOfWording(source, wording, { skip: pageId, exact: false });
  for (let at = span.start; at < span.end; at++) {
    if (!reachesShare(span.shared[at]!, span.total[at]!, NEAR_COPY)) break;
    twins.push(span.ids[at]!);
  }
  return twins;
}
