/** Records are the same on however many threads they are made, also where some lines are no records. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { recordsOfBucket } from '../../../../src/indexer/files/records/stage-files.ts';
import type { Stages } from '../../../../src/indexer/files/stage-runner.ts';
import { WorkFolder } from '../../../../src/indexer/files/work-folder.ts';
import { extract } from '../../../../src/indexer/gather/extract/extract.ts';
import { isTakenAlone, type ReadBatch } from '../../../../src/indexer/gather/extract/read-batch.ts';
import { dividedOptions } from '../../../../src/indexer/options/build-options.ts';
import type { Fault } from '../../../../src/sources/record/record.ts';
import { longTest } from '../../../long-test.ts';
import { DEFAULTS, temporaryFolder } from '../../build.ts';

const BUCKETS = 3;
const SILENT = { stageStarted() {}, stageProgress() {}, stageEnded() {} };
const LINE_FAULTS = ['{"url": "https://x.example/cut"', '[]', '{"url": 7, "text": "a"}', '  \t', '\ufeff'];

/** A line now and then holds no page. */
function lineOf(n: number): string {
  if (n % 7 === 3) return LINE_FAULTS[((n - 3) / 7) % LINE_FAULTS.length]!;
  if (n % 11 === 5) return JSON.stringify({ url: `https://x.example/${n}`, status: 404 });
  const links = `<a href=/${n + 1}>page ${n + 1}</a> `.repeat(12);
  const html = `<title>T${n}</title><p>${`rose${n} keel mast \ud800 tide${n % 13} caf\u00e9 `.repeat(25)}${links}`;
  return JSON.stringify({ url: `https://x.example/${n}`, html, ...(n % 5 === 0 && { colour: 'red' }) });
}

/** Extracts lines on so many threads. */
function extractor(t: TestContext, lines: readonly string[]) {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, lines.join('\n'));
  return async (workerCount: number, oneMoreWorthBytes: number) => {
    const target = join(folder, `${workerCount}.akin`);
    const inputs = [{ path, baseUrl: null, format: null }];
    const { input, resources, task } = dividedOptions({
      ...DEFAULTS,
      inputs,
      target,
      workerCount,
      maxPageBytes: 2 << 20,
    });
    const work = WorkFolder.open(target, 'a key', 0);
    const faults: string[] = [];
    const listener = { ...SILENT, fault: (fault: Fault) => faults.push(`${fault.where}: ${fault.detail}`) };
    const stages = { folder: work, resources, listener } as unknown as Stages;
    const report = await extract(input, task, stages, BUCKETS, oneMoreWorthBytes);
    const paths = Array.from({ length: BUCKETS }, (_, bucket) => recordsOfBucket(bucket).path(work));
    const records = paths.map((path) => readFileSync(path));
    work.discard();
    return { faults, records, ...report, sweeps: [] };
  };
}

longTest('the number of threads changes no record, no fault and no count', async (t) => {
  const run = extractor(
    t,
    Array.from({ length: 1200 }, (_, n) => lineOf(n)),
  );
  const one = await run(1, Infinity);
  assert.equal(one.recordCount, 1200 - 2 * 34);
  assert.deepEqual(one.skipped, { unreadable: 3 * 34 + 1, status: 93 });
  assert.deepEqual(one.unknownMembers, { colour: 187 });
  assert.deepEqual(await run(3, 1 << 16), one);
});

test('a page that would take more than the share of a thread is taken alone, with the same records', async (t) => {
  const resources = { memoryBytes: DEFAULTS.memoryBytes, workerCount: 3 };
  // 64 MiB for three threads, and 24 bytes a byte of a page.
  const largest = Math.floor((64 << 20) / 3 / 24);
  const lines = (...sizes: number[]) => {
    let end = 0;
    return { what: 'lines', ends: sizes.map((size) => (end += size)) } as unknown as ReadBatch;
  };
  const items = (...sizes: number[]) => {
    return { what: 'items', items: sizes.map((length) => ({ body: { length } })) } as unknown as ReadBatch;
  };
  for (const batch of [lines, items]) {
    assert.equal(isTakenAlone(batch(largest, 10, largest), resources), false);
    assert.equal(isTakenAlone(batch(10, largest + 1, 10), resources), true);
    assert.equal(isTakenAlone(batch(largest + 1), { ...resources, workerCount: 1 }), false);
  }
  const large = (n: number) => {
    const html = `<title>large ${n}</title><p>${`rose${n} keel mast `.repeat(largest / 10)}`;
    return JSON.stringify({ url: `https://x.example/large-${n}`, html });
  };
  const run = extractor(t, [large(0), lineOf(1), lineOf(2), large(1), large(2), lineOf(4), lineOf(6)]);
  const one = await run(1, Infinity);
  assert.deepEqual([one.recordCount, one.faults], [7, []]);
  assert.deepEqual(await run(3, 1 << 16), one);
});
