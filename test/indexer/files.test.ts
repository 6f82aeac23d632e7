/** The files that stages hand on: records, runs and arrays. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { SYSTEM_DISK } from '../../src/indexer/files/disk.ts';
import { ArrayFile, ArrayWriter } from '../../src/indexer/files/records/array-file.ts';
import { ByteReader, ByteWriter } from '../../src/indexer/files/records/bytes.ts';
import { RecordWriter, readRecords } from '../../src/indexer/files/records/record-file.ts';
import { namesOfRange, PAGES } from '../../src/indexer/files/records/stage-files.ts';
import { closeAll, TableFile } from '../../src/indexer/files/records/table-file.ts';
import { WorkFolder, workFiles } from '../../src/indexer/files/work-folder.ts';
import { mergeRuns } from '../../src/indexer/gather/collapse/merge.ts';
import { readCollapsedFacts, writeCollapsed } from '../../src/indexer/gather/records/collapsed-record.ts';
import { featureNames } from '../../src/indexer/weigh/vocabulary.ts';
import { temporaryFolder } from './build.ts';

const SEED = { seed: 41, numRuns: 60 };

function workFolder(t: TestContext): WorkFolder {
  const folder = WorkFolder.open(join(temporaryFolder(t), 'a.akin'), null, 0);
  t.after(() => folder.release());
  return folder;
}

function writeRecords(path: string, records: readonly Uint8Array[], bufferBytes?: number): void {
  const writer = new RecordWriter(path, bufferBytes);
  for (const record of records) writer.append(record);
  writer.close();
  assert.equal(writer.recordCount, records.length);
  assert.equal(writer.sizeBytes, readFileSync(path).length);
}

test('of many files brought to the disk, one that is missing is named', async (t) => {
  const folder = temporaryFolder(t);
  const paths = Array.from({ length: 40 }, (_, i) => join(folder, String(i)));
  for (const path of paths) writeFileSync(path, path);
  await SYSTEM_DISK.syncAll(paths);
  await assert.rejects(SYSTEM_DISK.syncAll([...paths, join(folder, 'none')]), { code: 'ENOENT' });
});

test('records come back whole, whatever their sizes and those of the buffers', (t) => {
  const path = join(temporaryFolder(t), 'records');
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 })),
      fc.integer({ min: 8, max: 64 }),
      fc.integer({ min: 4, max: 64 }),
      (records, writeBytes, readBytes) => {
        writeRecords(path, records, writeBytes);
        const back = Array.from(readRecords(path, readBytes), (record) => Uint8Array.from(record));
        assert.deepEqual(back, records);
      },
    ),
    SEED,
  );
});

test('a file of records that is cut anywhere is an error, not an end', (t) => {
  const path = join(temporaryFolder(t), 'records');
  writeRecords(path, [new Uint8Array(5), new Uint8Array(300), new Uint8Array(0)]);
  const whole = readFileSync(path);
  const ends = new Set([0, 9, 313, 317]);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    const read = () => Array.from(readRecords(path, 64)).length;
    if (ends.has(length)) assert.doesNotThrow(read);
    else assert.throws(read, { name: 'CorruptError', message: /ends inside a record/ }, `${length} bytes`);
  }
});

test('a record that claims to be larger than its file asks for no memory', (t) => {
  const path = join(temporaryFolder(t), 'records');
  writeFileSync(path, Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]));
  assert.throws(() => Array.from(readRecords(path)), { name: 'CorruptError' });
});

test('numbers and texts of records come back', () => {
  const item = fc.oneof(
    fc.integer({ min: 0, max: 0xffffffff }).map((value) => ({ kind: 'varint' as const, value })),
    fc.double({ noNaN: true }).map((value) => ({ kind: 'f64' as const, value })),
    fc.string({ unit: 'grapheme', maxLength: 300 }).map((value) => ({ kind: 'text' as const, value })),
  );
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const out = new ByteWriter(1);
      for (const { kind, value } of items) (out[kind] as (value: number | string) => void)(value);
      const from = new ByteReader(out.take());
      for (const { kind, value } of items) assert.deepEqual(from[kind](), value);
      assert.ok(from.done);
    }),
    { ...SEED, numRuns: 200 },
  );
});

test('arrays come back from files, into shared memory where threads read them', (t) => {
  const folder = workFiles(temporaryFolder(t));
  const reals = new ArrayFile('reals', Float64Array);
  const array = Float64Array.of(0, -1.5, 2 ** 53, Number.MAX_VALUE);
  reals.write(folder, array);
  assert.deepEqual(reals.read(folder), array);
  assert.deepEqual(reals.readOwn(folder), array);
  assert.equal(reals.length(folder), 4);
  assert.ok(reals.read(folder).buffer instanceof SharedArrayBuffer);
  assert.ok(reals.readOwn(folder).buffer instanceof ArrayBuffer);
  const numbers = Array.from({ length: 1000 }, (_, i) => i * 65);
  const writer = new ArrayWriter(reals.path(folder), Uint16Array, 7);
  for (const number of numbers) writer.push(number);
  writer.close();
  assert.equal(writer.length, 1000);
  assert.deepEqual([...new ArrayFile('reals', Uint16Array).read(folder)], numbers);
  reals.write(folder, new Float64Array(0));
  assert.equal(reals.read(folder).length, 0);
});

test('a table comes back whole and in blocks, wider columns with it', (t) => {
  const folder = workFiles(temporaryFolder(t));
  const table = new TableFile('lists', { counts: Uint8Array, ids: Uint32Array });
  const writers = table.writers(folder);
  for (const count of [1, 2, 0]) writers.counts.push(count);
  for (const id of [10, 0, 20, 21, 0, 0]) writers.ids.push(id);
  closeAll(Object.values(writers));
  assert.deepEqual([...table.read(folder).ids], [10, 0, 20, 21, 0, 0]);
  const blocks = Array.from(table.blocks(folder, 2), ({ counts, ids }) => [[...counts], [...ids]]);
  assert.deepEqual(blocks, [
    [
      [1, 2],
      [10, 0, 20, 21],
    ],
    [[0], [0, 0]],
  ]);
});

test('runs merge into the order of URLs, all at once or in groups', (t) => {
  const folder = workFolder(t);
  const urls = fc.uniqueArray(fc.integer({ min: 0, max: 9999 }).map((n) => `https://x.example/${n}`));
  fc.assert(
    fc.property(
      urls,
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 2, max: 9 }),
      (all, runCount, maxOpen) => {
        const names = Array.from({ length: runCount }, (_, i) => `run-${i}`);
        for (const [i, name] of names.entries()) {
          const own = all.filter((url) => Number(url.split('/').at(-1)) % runCount === i).sort();
          const out = new ByteWriter();
          const writer = new RecordWriter(folder.file(name));
          for (const url of own) {
            out.clear();
            const anchor = { keys: Float64Array.of(url.length), tfs: Uint32Array.of(7) };
            writeCollapsed(out, { url, title: `of ${url}`, anchor }, { page: null, past: [], folded: [] });
            writer.append(out.view());
          }
          writer.close();
        }
        assert.equal(
          mergeRuns(folder, names, PAGES.name, () => {}, maxOpen),
          all.length,
        );
        const merged = Array.from(PAGES.records(folder), (bytes) =>
          readCollapsedFacts(new ByteReader(bytes)),
        );
        assert.deepEqual(
          merged.map(({ url, title }) => [url, title]),
          [...all].sort().map((url) => [url, `of ${url}`]),
        );
      },
    ),
    SEED,
  );
});

test('a feature that two stems of one key claim has one name, the first in order', (t) => {
  const folder = workFolder(t);
  const writer = namesOfRange(0).writer(folder);
  for (const [id, stem] of [
    [1, 'keel'],
    [0, 'thorn'],
    [0, 'rose'],
  ] as const) {
    writer.push({ id, part: 'content', stem, term: stem });
  }
  writer.close();
  assert.deepEqual(
    Array.from(featureNames(folder, 2), ({ id, stem }) => [id, stem]),
    [
      [0, 'rose'],
      [1, 'keel'],
    ],
  );
});

test('an array comes back in blocks, the last of them short', (t) => {
  const folder = workFiles(temporaryFolder(t));
  const file = new ArrayFile('numbers', Uint32Array);
  const numbers = Uint32Array.from({ length: 11 }, (_, i) => i * 400_000_000);
  file.write(folder, numbers);
  for (const length of [1, 4, 11, 12]) {
    const blocks = Array.from(file.blocks(folder, length), (block) => [...block]);
    assert.deepEqual(blocks.flat(), [...numbers]);
    assert.ok(blocks.slice(0, -1).every((block) => block.length === length));
  }
  file.write(folder, new Uint32Array(0));
  assert.deepEqual([...file.blocks(folder)], []);
});
