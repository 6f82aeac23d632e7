import { existsSync } from 'node:fs';
import { siteOf } from '../../url/site.ts';
import { RecordWriter, readRecords } from '../files/record-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';

/**
 * Sites of which a sweep is the whole state: a URL of theirs that the sweep did not read has no page.
 */

const COVERED_FILE = 'covered-sites';

/** Notes the sites; without a call no site is covered. */
export function saveCoverage(folder: WorkFiles, sites: Iterable<string>): void {
  const out = new RecordWriter(folder.file(COVERED_FILE));
  for (const site of sites) out.append(Buffer.from(site));
  out.close();
}

/** Whether the site of a URL is covered. */
export function loadCoverage(folder: WorkFiles): (url: string) => boolean {
  const path = folder.file(COVERED_FILE);
  if (!existsSync(path)) return () => false;
  const sites = new Set(Array.from(readRecords(path), (site) => site.toString()));
  return (url) => sites.has(siteOf(url));
}
