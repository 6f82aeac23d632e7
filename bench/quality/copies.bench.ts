/**
 * Measured   The sketches and the join of Broder et al. 1997: speed; estimates of resemblance against the exact
 *            figures; containment of plagiarized answers; page versions and translations; copies of a real crawl
 *            against clusters chained by exact Jaccard; growth from 10,000 to a million pages.
 * Corpus     clough-stevenson (100 short texts), httpd-docs (3,083 pages, and 5,423 of its history), uci-crawl (53,293
 *            pages), and pages made up of random shingles, one in five an edited copy of the page before.
 * Notes      The labels of uci-crawl and of httpd-docs come from 5-word shingles over another extraction of the text;
 *            uci clusters are chained, so that one pair on the wrong side of .9 can part or join hundreds. They are not
 *            all that their own rule joins: pages of one wiki are parted though their exact Jaccard is up to .99. So a
 *            join that misses no pair cannot reach a precision of .98 against them; the last table of the crawl says
 *            what it reaches where such pairs are joined (1, for all shingles of that text, by construction).
 */
import assert from 'node:assert/strict';
import { announce, type BenchResult, type Table } from '../bench.ts';
import { containmentTable } from './copies-containment.ts';
import { growthTable } from './copies-growth.ts';
import { crawlTables } from './copies-of-crawl.ts';
import { labelTable } from './copies-of-labels.ts';
import { versionTables } from './copies-of-versions.ts';

export async function run(): Promise<BenchResult> {
  const corpus = { answers: 95, versions: 3083, history: 5423, crawl: 53_293, madeUp: 1_000_000 };
  announce(corpus);
  const tables: Table[] = [containmentTable()];
  tables.push(...(await versionTables()));
  tables.push(...(await crawlTables()));
  tables.push(await labelTable());
  tables.push(growthTable());
  assert.ok(tables.every((table) => table.rows.length > 0));
  return { corpus, tables };
}
