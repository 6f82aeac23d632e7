import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { DEFAULTS } from '../../../test/indexer/build.ts';
import type { Columns } from '../src/record/columns.ts';
import { byGroup, defineStage, type Stage } from '../src/record/stage.ts';
import { type RecordFault, runStage } from '../src/run-stage.ts';
import { STAGES } from '../src/stages.ts';

async function run<In extends Columns, Out extends Columns>(
  stage: Stage<In, Out>,
  input: string,
  found: Record<string, unknown> = {},
) {
  const output = new PassThrough();
  const faults: RecordFault[] = [];
  // In pieces that end anywhere.
  const bytes = Buffer.from(input);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) =>
    bytes.subarray(7 * i, 7 * i + 7),
  );
  const written = text(output);
  const report = await runStage(stage, { options: DEFAULTS, found }, Readable.from(pieces), output, (fault) =>
    faults.push(fault),
  );
  output.end();
  return { report, faults, lines: (await written).split('\n').slice(0, -1) };
}

const stageOf = (name: string) => STAGES.find((stage) => stage.name === name)!;

const sums = defineStage({
  name: 'sums',
  doc: 'for the test',
  order: 'by key',
  input: { key: 'text', count: 'long' },
  output: { key: 'text', sum: 'long' },
  open: () =>
    byGroup<{ key: string; count: number }, { key: string; sum: number }>('key', (rows, emit) => {
      if (rows[0]!.key === 'bad') throw new Error('a bad group');
      emit({ key: rows[0]!.key, sum: rows.reduce((sum, { count }) => sum + count, 0) });
    }),
});

test('groups come whole, and a bad record or group costs itself alone', async () => {
  const { report, faults, lines } = await run(sums, 'é\t1\né\t2\nb\tx\nbad\t1\nc\t5\nc\t6');
  assert.deepEqual(lines, ['é\t3', 'c\t11']);
  assert.deepEqual(report, { stage: 'sums', read: 6, written: 2, faults: 2 });
  assert.deepEqual(
    faults.map(({ record, error }) => [record, error]),
    [
      [3, 'the column count is "x", which is no long'],
      [5, 'a bad group'],
    ],
  );
});

test('of the answers of a URL one holds, in the order in which they came', async () => {
  const row = (url: string, kind: string, position: number, time: number, sweep = 1) =>
    `${url}\t${kind}\t${sweep}\t${sweep}\t${position}\t${time}\tsite\t\\N\t\\N\n`;
  const input = [
    row('a', 'page', 0, 5),
    row('a', 'redirect', 1, 9), // a page comes before a redirect
    row('a', 'page', 2, 5), // of equal times the later record
    row('b', 'page', 0, 5),
    row('b', 'gone', 1, 6), // gone later
    row('c', 'page', 0, 5),
    row('c', 'gone', 1, 0), // gone without a time
    row('d', 'page', 0, 5),
    row('d', 'page', 1, 6, 2), // of another sweep: what was is kept
    row('d', 'gone', 0, 7, 3),
    row('e', 'page', 0, 5),
    row('e', 'noindex', 1, 6, 2), // nothing stays
    row('e', 'page', 2, 9, 3),
    row('f', 'gone', 0, 5),
    row('f', 'redirect', 1, 6, 2), // no page since the first of them
    row('f', 'gone', 2, 7, 3),
  ].join('');
  const { lines } = await run(stageOf('decide'), input);
  const columns = Object.keys(stageOf('decide').output);
  const shown = ['url', 'kind', 'sweep', 'position', 'is_past', 'erased_before', 'duplicates'];
  assert.deepEqual(
    lines.map((line) => shown.map((name) => line.split('\t')[columns.indexOf(name)]).join(' ')),
    [
      'a page 1 2 false \\N {"1":1}',
      'b gone 1 1 false \\N {"1":1}',
      'c page 1 0 false \\N \\N',
      'd page 1 0 true \\N \\N',
      'd page 2 1 true \\N \\N',
      'd gone 3 0 false \\N \\N',
      `e page 3 2 false ${2 * 2 ** 32 + 1} \\N`,
      'f gone 1 2 false \\N \\N',
    ],
  );
});

test('a stage says what it does not know', async () => {
  await assert.rejects(run(stageOf('bag'), ''), /how many pages have each part/);
});

test('a file that cannot be read is a row that names it', async () => {
  const { lines, report } = await run(
    stageOf('extract'),
    '3\t/no/such/file.warc.gz\t1\n4\ts3a://bucket/a.warc.gz\t1\n',
  );
  assert.equal(report.faults, 0);
  assert.match(lines[0]!, /^file\t3\t1\t0\t.*does not exist\t\/no\/such\/file\.warc\.gz/);
  assert.match(lines[1]!, /^file\t4\t1\t.*is no local file, and no command reads it/);
});

test('a file that is not local is read by a command', async () => {
  const page = JSON.stringify({ url: 'https://example.org/', html: '<title>A</title><p>rose keel' });
  const found = {
    cat: [process.execPath, '-e', `console.log(${JSON.stringify(page)}); void process.argv[1]`],
  };
  const { lines } = await run(stageOf('extract'), '0\ts3a://bucket/a.jsonl\t2\n', found);
  assert.match(lines[0]!, /^page\t0\t2\t0\thttps:\/\/example\.org\/\texample\.org/);
  const failing = { cat: [process.execPath, '-e', 'console.error("no such bucket"); process.exit(1)'] };
  const lost = await run(stageOf('extract'), '0\ts3a://bucket/a.jsonl\t2\n', failing);
  assert.match(lost.lines.at(-1)!, /^file\t0\t2\t/);
});
