import { siteOf } from '../../../url/site.ts';
import { COVERED_SITES } from '../../files/records/stage-files.ts';
import { diskOf, type WorkFiles } from '../../files/work-folder.ts';

/**
 * Sites of which a sweep is the whole state: a URL of theirs that the sweep did not read has no page.
 */

/** Notes the sites; without a call no site is covered. */
export function saveCoverage(folder: WorkFiles, sites: Iterable<string>): void {
  const out = COVERED_SITES.writer(folder);
  for (const site of sites) out.append(Buffer.from(site));
  out.close();
}

/** Whether the site of a URL is covered. */
export function loadCoverage(folder: WorkFiles): (url: string) => boolean {
  if (diskOf(folder).sizeAt(COVERED_SITES.path(folder)) === undefined) return () => false;
  const sites = new Set(Array.from(COVERED_SITES.records(folder), (site) => site.toString()));
  return (url) => sites.has(siteOf(url));
}
