/** Yearly sweeps of one manual, 1999 .. 2024, added one by one and built at once. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { asSweeps, build, input, noting, temporaryFolder } from './build.ts';
import { differingTables } from './sweeps.ts';

const HISTORY = fileURLToPath(new URL('../../../shared/data/httpd-docs/history', import.meta.url));
const skip = existsSync(HISTORY) ? false : `${HISTORY} is not here`;
const WIDE = { maxPageBytes: 10 << 20, memoryBytes: 256 << 20, workerCount: 2, neighborLimit: 32 };

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

test('26 yearly sweeps added one by one give the index of one build of all', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const lines = readHistory(folder);
  const years = [...new Set(lines.map(({ year }) => year))].sort();
  const sweeps = years.map((year) =>
    writeSweep(
      join(folder, `${year}.jsonl`),
      lines.filter((line) => line.year === year),
    ),
  );
  const target = join(folder, 'history.akin');
  await build(t, { inputs: [sweeps[0]!], target, sweepName: years[0]!, ...WIDE });
  t.diagnostic('year  pages unchanged changed new gone | add ms');
  for (const [i, sweep] of sweeps.entries()) {
    if (i === 0) continue;
    const options = additionTo({
      target,
      inputs: [sweep],
      sweepName: years[i]!,
      memoryBytes: 256 << 20,
      workerCount: 2,
    });
    const { pageCount, change, durationMs } = await buildIndex(options, noting().listener);
    const { unchangedCount, changedCount, newCount, goneCount } = change;
    const row = [years[i], pageCount, unchangedCount, changedCount, newCount, goneCount];
    t.diagnostic(`${row.join(' ')} | ${Math.round(durationMs)}`);
  }
  assert.deepEqual(checkIndex(target).faults, []);
  const whole = await build(t, { inputs: asSweeps(sweeps), ...WIDE });
  t.diagnostic(`build of all sweeps: ${Math.round(whole.report.durationMs)} ms`);
  assert.deepEqual(differingTables(target, whole.target), []);
});
