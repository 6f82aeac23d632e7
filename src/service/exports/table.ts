import { CLUSTERS_EXPORT } from './clusters.ts';
import { COPIES_EXPORT } from './copies.ts';
import { RELATED_EXPORT } from './lists.ts';
import { LINKS_EXPORT, PAGES_EXPORT } from './pages.ts';
import { RECORDS_EXPORT } from './records.ts';
import { CHANGES_EXPORT, MOVED_EXPORT } from './time.ts';

/** All that can be exported, by name: the command line, HTTP and their documentation go by it. */
export const EXPORTS = {
  related: RELATED_EXPORT,
  pages: PAGES_EXPORT,
  records: RECORDS_EXPORT,
  clusters: CLUSTERS_EXPORT,
  copies: COPIES_EXPORT,
  moved: MOVED_EXPORT,
  changes: CHANGES_EXPORT,
  links: LINKS_EXPORT,
};
