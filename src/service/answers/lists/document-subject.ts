import type { ExtractedPage } from '../../../page/extracted-page.ts';
import { COPY } from '../../../relations/copy.ts';
import { siteOf } from '../../../url/site.ts';
import type { Generation } from '../../held/generation.ts';
import { copiesOfWording } from '../copies/copy-search.ts';
import { copySource } from '../copies/copy-source.ts';
import { NEAR_COPY } from '../copies/near-copies.ts';
import { documentWording } from '../copies/wording.ts';
import { linkedPages, type PostedDocument } from '../documents/document.ts';
import type { Subject } from './page-filter.ts';

/** A posted document as the one whose neighbors are listed, and the page it is known as, -1 for none. */
export function documentSubject(generation: Generation, { url }: PostedDocument, page: ExtractedPage) {
  const pageId = url === null ? -1 : generation.catalog.findMentioned(url);
  const subject: Subject = {
    sameSite: sameSiteAs(generation, url),
    site: () => (url === null ? null : siteOf(url)),
    links: () => linkedPages(generation, page),
    twins: () => twinsOfDocument(generation, page, url, pageId),
  };
  return { subject, pageId };
}

/** The page that a document is known as, and those that have its wording now. */
function twinsOfDocument(
  generation: Generation,
  page: ExtractedPage,
  url: string | null,
  pageId: number,
): number[] {
  const twins = pageId < 0 ? [] : [pageId];
  if (!generation.holds(COPY.name)) return twins;
  const source = copySource(generation);
  const wording = documentWording(source, page, url);
  const { span } = copiesOfWording(generation, source, wording, { skip: pageId, accept: null, exact: false });
  for (let at = span.start; at < span.end; at++) {
    if (span.shared[at]! < NEAR_COPY * span.total[at]!) break;
    twins.push(span.ids[at]!);
  }
  return twins;
}

function sameSiteAs({ catalog, reader }: Generation, url: string | null): (pageId: number) => boolean {
  if (url === null) return () => false;
  const site = reader.findSite(siteOf(url));
  return (pageId) => catalog.site(pageId) === site;
}
