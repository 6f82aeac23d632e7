/** Records are the same on however many threads they are made, also where some lines are no records. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordsOfBucket } from '../../../../src/indexer/files/records/stage-files.ts';
import type { Stages } from '../../../../src/indexer/files/stage-runner.ts';
import { WorkFolder } from '../../../../src/indexer/files/work-folder.ts';
import { extract } from '../../../../src/indexer/gather/extract/extract.ts';
import { dividedOptions } from '../../../../src/indexer/options/build-options.ts';
import type { Fault } from '../../../../src/sources/record/record.ts';
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

test('the number of threads changes no record, no fault and no count', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, Array.from({ length: 1200 }, (_, n) => lineOf(n)).join('\n'));
  const run = async (workerCount: number, oneMoreWorthBytes: number) => {
    const target = join(folder, `${workerCount}.akin`);
    const inputs = [{ path, baseUrl: null, format: null }];
    const { input, resources, task } = dividedOptions({ ...DEFAULTS, inputs, target, workerCount });
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
  const one = await run(1, Infinity);
  assert.equal(one.recordCount, 1200 - 2 * 34);
  assert.deepEqual(one.skipped, { unreadable: 3 * 34 + 1, status: 93 });
  assert.deepEqual(one.unknownMembers, { colour: 187 });
  assert.deepEqual(await run(3, 1 << 16), one);
});
