/**
 * Measured   P@10 and P@1 of the neighbors that the index answers with, by the same section of the same manual.
 * Corpus     1,265 pages of four manuals (SQLite, PostgreSQL 15, Python 3.11, Apache httpd 2.4), read from a WARC.
 * Notes      Sections name the kind of page as much as its subject and so reward templates and menus: a figure to
 *            watch, not to tune on. 14 sections of one page can have no relevant neighbor.
 */
import assert from 'node:assert/strict';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import type { BenchResult } from '../bench.ts';
import { dataFile, readTsv } from '../corpora/data.ts';
import { benchLabelled } from './labelled-corpus.ts';

export async function run(): Promise<BenchResult> {
  const labels = new Map(
    readTsv('manuals/labels.tsv', ['url', 'host', 'section']).map((row) => [
      canonicalUrl(row.url)!,
      new Set([`${row.host} ${row.section}`]),
    ]),
  );
  const { result, judgements } = await benchLabelled({
    path: dataFile('manuals/demo.warc.gz'),
    labels,
    queries: [...labels.keys()],
    builds: [
      { profile: 'akin', parts: 'content' },
      { profile: 'akin' },
      { profile: 'haveliwala2000', parts: 'content' },
      { profile: 'haveliwala2000', parts: 'content,anchor' },
    ],
  });
  assert.ok(judgements.get('akin')!.tenAnswers > 0.9, 'nearly every page has ten neighbors');
  return result;
}
