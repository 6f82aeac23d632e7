/** Yearly sweeps of one manual, 1999 .. 2024, added one by one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addSweep } from '../../src/indexer/add-index.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/reader.ts';
import { build, input, noting, temporaryFolder } from './build.ts';
import { assertWhole, copiesByUrl } from './sweeps.ts';

const HISTORY = fileURLToPath(new URL('../../../shared/data/httpd-docs/history', import.meta.url));
const skip = existsSync(HISTORY) ? false : `${HISTORY} is not here`;
const WIDE = { maxPageBytes: 10 << 20, memoryBytes: 256 << 20, workerCount: 2, neighbourLimit: 32 };

interface Line {
  readonly url: string;
  readonly year: string;
  readonly html: string;
}

function readHistory(folder: string): Line[] {
  const unpacked = spawnSync('tar', ['-I', 'zstd', '-xf', join(HISTORY, 'html.tar.zst'), '-C', folder]);
  assert.equal(unpacked.status, 0, String(unpacked.stderr));
  const [, ...rows] = readFileSync(join(HISTORY, 'pages.tsv'), 'utf8').trimEnd().split('\n');
  return rows.map((row) => {
    const [url, year, path] = row.split('\t') as [string, string, string];
    return { url, year, html: readFileSync(join(folder, path), 'utf8') };
  });
}

function writeSweep(path: string, lines: readonly Line[]): ReturnType<typeof input> {
  const rows = lines.map(({ url, year, html }) => ({ url, html, fetched_at: `${year}-01-01T00:00:00Z` }));
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return input(path);
}

test('26 yearly sweeps added one by one give the copies of one full build', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const lines = readHistory(folder);
  const years = [...new Set(lines.map(({ year }) => year))].sort();
  const sweepOf = (year: string) =>
    writeSweep(
      join(folder, `${year}.jsonl`),
      lines.filter((line) => line.year === year),
    );
  const [first, ...others] = years;
  const target = join(folder, 'history.akin');
  await build(t, { inputs: [sweepOf(first!)], target, sweepName: first!, ...WIDE });
  t.diagnostic('year  pages captures unchanged changed new texts | lists searched | add ms, extract ms');
  for (const year of others) {
    const options = {
      target,
      inputs: [sweepOf(year)],
      sweepName: year,
      memoryBytes: 256 << 20,
      workerCount: 2,
    };
    const report = await addSweep(options, noting().listener);
    const extractMs = report.stages.find(({ name }) => name === 'extract')!.durationMs;
    t.diagnostic(
      [
        year,
        report.pageCount,
        report.captureCount,
        report.unchangedCount,
        report.changedCount,
        report.newCount,
        report.newVersionCount,
        '|',
        report.touchedListCount,
        report.searchedCount,
        '|',
        Math.round(report.durationMs),
        Math.round(extractMs),
      ].join(' '),
    );
    assert.deepEqual(checkIndex(target).faults, [], year);
  }
  assertWhole(target);

  const latest = new Map(lines.map((line) => [line.url, line]));
  const whole = await build(t, {
    inputs: [writeSweep(join(folder, 'latest.jsonl'), [...latest.values()])],
    ...WIDE,
  });
  t.diagnostic(`full build of the latest captures: ${Math.round(whole.report.durationMs)} ms`);
  const [added, built] = [copiesByUrl(target), copiesByUrl(whole.target)];
  t.diagnostic(`${built.pairs.length} pairs both ways, ${built.clusters.length} clusters`);
  assert.ok(built.pairs.length > 0);
  assert.deepEqual(added.pairs, built.pairs);
  assert.deepEqual(added.clusters, built.clusters);

  const reader = IndexReader.open(target);
  t.after(() => reader.close());
  const near = { both: 0, all: 0 };
  for (const { id, url } of whole.reader.pages()) {
    const urls = (from: IndexReader, page: number) =>
      Array.from(from.neighbours(1, page).ids.subarray(0, 10), (other) => from.page(other).url);
    const expected = urls(whole.reader, id);
    const found = new Set(urls(reader, reader.findPage(url)));
    near.all += expected.length;
    near.both += expected.filter((other) => found.has(other)).length;
  }
  t.diagnostic(
    `of the ten nearest by topic ${((100 * near.both) / near.all).toFixed(1)} % are those of the full build`,
  );
});
