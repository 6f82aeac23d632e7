/** Additions to indexes of real sites: every table, row for row, against one build of all sweeps. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { archivedPages, type JsonlRecord, writeJsonl } from '../../bench/corpora/jsonl.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { asSweeps, build, input, noting, temporaryFolder } from './build.ts';

const WIDE = { maxPageBytes: 10 << 20, memoryBytes: 512 << 20, workerCount: 2 };
const CORPORA = {
  manuals: { archive: 'manuals/html.tar.zst', table: 'manuals/labels.tsv' },
  'uci-crawl': { archive: 'uci-crawl/html.tar.zst', table: 'uci-crawl/pages.tsv.zst' },
};

type Record = JsonlRecord & { readonly fetched_at?: string; readonly status?: number };

function skipWithout(corpus: keyof typeof CORPORA): string | false {
  const archive = new URL(`../../../shared/data/${CORPORA[corpus].archive}`, import.meta.url);
  return existsSync(archive) ? false : `${corpus} is not in ../shared/data`;
}

/** The first pages of a corpus, one record a URL. */
async function* pagesOf(corpus: keyof typeof CORPORA, count = Infinity): AsyncGenerator<Record> {
  const { archive, table } = CORPORA[corpus];
  const seen = new Set<string>();
  for await (const page of archivedPages(archive, table)) {
    if (seen.size === count) return;
    const url = canonicalUrl(page.url);
    if (url === null || seen.has(url)) continue;
    seen.add(url);
    yield { ...page, fetched_at: '2026-01-01T00:00:00Z' };
  }
}

/** The records of a sweep, by what becomes of each page; its number counts from 0. */
async function* changed(
  pages: AsyncIterable<Record>,
  change: (page: Record, number: number) => Record | null,
): AsyncGenerator<Record> {
  let number = 0;
  for await (const page of pages) {
    const record = change(page, number++);
    if (record !== null) yield record;
  }
}

function later(page: Record, more = ''): Record {
  return { ...page, html: `${page.html}${more}`, fetched_at: '2026-02-01T00:00:00Z' };
}

const PARAGRAPH = '<p>A paragraph about gardens, bread, bicycles and harbors that was not there before.</p>';

/**
 * Adds a second sweep to an index of the first and builds both at once, or of the second its twin, where that is another
 * way to say the same; gives the tables that differ.
 */
async function compare(
  t: TestContext,
  first: AsyncIterable<Record>,
  second: AsyncIterable<Record>,
  { isWhole = false, twin = null }: { isWhole?: boolean; twin?: AsyncIterable<Record> | null } = {},
): Promise<string[]> {
  const write = async (name: string, records: AsyncIterable<Record>) => {
    const path = join(temporaryFolder(t), name);
    await writeJsonl(path, records);
    return input(path);
  };
  const before = await write('sweep-1.jsonl', first);
  const added = await write('sweep-2.jsonl', second);
  const { target } = await build(t, { inputs: asSweeps([before]), isWhole, ...WIDE });
  const { memoryBytes, workerCount } = WIDE;
  const sweep = { inputs: [added], sweepName: '', isWhole };
  const { change, pageCount } = await buildIndex(
    additionTo({ target, ...sweep, memoryBytes, workerCount }),
    noting().listener,
  );
  assert.deepEqual(checkIndex(target).faults, []);
  const inputs = [before, twin === null ? added : await write('sweep-2.jsonl', twin)];
  const whole = await build(t, { inputs: asSweeps(inputs), isWhole, ...WIDE });
  const { differing, rowCount, tableCount } = differingRows(target, whole.target);
  t.diagnostic(`${pageCount} pages, ${JSON.stringify(change)}: ${rowCount} rows of ${tableCount} tables`);
  return differing;
}

/** Compares two indexes row for row by SQL; times and what is made of them are left out. */
function differingRows(one: string, other: string) {
  const db = new Database(one, { readonly: true });
  db.prepare('ATTACH ? AS other').run(other);
  const names = db
    .prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
    .pluck()
    .all() as string[];
  const tables = names.filter((name) => !['generation', 'stage', 'sqlite_sequence'].includes(name));
  let rowCount = 0;
  const differing = tables.filter((name) => {
    const columns = (db.pragma(`main.table_info(${name})`) as { name: string }[])
      .map((column) => column.name)
      .filter((column) => !column.endsWith('_ms'))
      .join(', ');
    const [mine, theirs] = ['main', 'other'].map((schema) => `SELECT ${columns} FROM ${schema}.${name}`);
    const count = (rows: string) => db.prepare(`SELECT count(*) FROM (${rows})`).pluck().get() as number;
    rowCount += count(mine!);
    // Rows have keys: as many, and none that the other lacks, are the same.
    return count(mine!) !== count(theirs!) || count(`${mine} EXCEPT ${theirs}`) > 0;
  });
  db.close();
  return { differing: differing.sort(), rowCount, tableCount: tables.length };
}

test('manuals in two halves: adding the second is building both', {
  skip: skipWithout('manuals'),
}, async (t) => {
  const half = (rest: number) =>
    changed(pagesOf('manuals'), (page, number) => (number % 2 === rest ? page : null));
  assert.deepEqual(await compare(t, half(0), half(1)), []);
});

test('manuals as a whole state: what a sweep lacks is gone, as if each page had answered 404', {
  skip: skipWithout('manuals'),
}, async (t) => {
  const sweep = (gone: (page: Record) => Record | null) =>
    changed(pagesOf('manuals'), (page, number) =>
      number % 50 === 0 ? gone(page) : later(page, number % 50 === 1 ? PARAGRAPH : ''),
    );
  const lacking = sweep(() => null);
  const saying = sweep(({ url }) => ({ url, html: '', status: 404 }));
  const differing = await compare(t, pagesOf('manuals'), lacking, { isWhole: true, twin: saying });
  // The answers 404 are records, and passed over.
  assert.deepEqual(differing, ['skip', 'sweep', 'table_digest']);
});

test('20,000 pages of a crawl of which 1 % change: adding the sweep is building both', {
  skip: skipWithout('uci-crawl'),
}, async (t) => {
  const first = () => pagesOf('uci-crawl', 20_000);
  const second = changed(first(), (page, number) => later(page, number % 100 === 0 ? PARAGRAPH : ''));
  // Of captures that led to another URL and were read again: a build of both counts some under another reason.
  assert.deepEqual(await compare(t, first(), second), ['skip', 'table_digest']);
});
