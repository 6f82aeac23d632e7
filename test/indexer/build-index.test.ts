import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { Random } from '../../src/lib/random.ts';
import { longTest } from '../long-test.ts';
import { tableRows } from '../store/tables.ts';
import { build, buildPages, input, PRINTED, temporaryFolder, urlsOf } from './build.ts';
import { document, gzip, toJsonl, toWarc, villagePages, writeFolder } from './pages.ts';

const PAGES = villagePages(12);

async function expectSame(t: TestContext, options: Partial<BuildOptions> & Pick<BuildOptions, 'inputs'>) {
  const expected = await buildPages(t, PAGES);
  const actual = await build(t, options);
  assert.deepEqual(tableRows(actual.target), tableRows(expected.target));
  assert.equal(actual.report.generation, expected.report.generation);
  return actual;
}

function file(t: TestContext, name: string, bytes: string | Uint8Array): string {
  const path = join(temporaryFolder(t), name);
  writeFileSync(path, bytes);
  return path;
}

test('an index holds every page, finds its neighbors and clusters the four topics', async (t) => {
  const { report, reader, noted, target } = await buildPages(t, PAGES);
  assert.equal(report.recordCount, PAGES.length);
  assert.equal(report.fetchedPageCount, PAGES.length);
  assert.equal(report.generation, reader.generation);
  assert.ok(report.pageCount > PAGES.length, 'the linked pages of far.example count as well');
  assert.deepEqual(noted.faults, []);
  const relation = reader.relation('topic')!;
  for (const page of reader.pages()) {
    if (!page.fetched) continue;
    const near = Array.from(reader.neighbors(relation.id, page.id).ids, (id) => reader.page(id));
    const own = near.filter((one) => one.fetched && one.site === page.site).length;
    assert.ok(own >= near.length / 2, `${page.url} is near to ${near.map((one) => one.url)}`);
  }
  assert.ok(!existsSync(`${target}.work`), 'the work folder is gone');
});

test('JSON lines, gzip of them and of WARC and a folder of the same pages give the same index', async (t) => {
  const folder = temporaryFolder(t);
  writeFolder(folder, PAGES);
  const expected = await buildPages(t, PAGES);
  const inputs = {
    'warc.gz': input(file(t, 'pages.warc.gz', gzip(toWarc(PAGES)))),
    'jsonl.gz': input(file(t, 'pages.jsonl.gz', gzip(toJsonl(PAGES)))),
    folder: input(folder, 'https://'),
  };
  for (const [form, one] of Object.entries(inputs)) {
    const actual = await build(t, { inputs: [one] });
    assert.deepEqual(tableRows(actual.target), tableRows(expected.target), form);
    assert.equal(actual.report.generation, expected.report.generation, form);
  }
});

test('the order of pages and their division into inputs leave no trace', async (t) => {
  const shuffled = [...PAGES];
  const random = new Random(5);
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
  }
  const inputs = [
    input(file(t, 'a.jsonl', toJsonl(shuffled.slice(0, 20)))),
    input(file(t, 'b.warc', toWarc(shuffled.slice(20)))),
  ];
  await expectSame(t, { inputs });
});

test('three workers give the index of one', async (t) => {
  const inputs = [input(file(t, 'pages.jsonl', toJsonl(villagePages(130))))];
  const one = await build(t, { inputs });
  assert.ok(one.report.pageCount > 512, 'several tasks for each of three workers');
  const more = await build(t, { inputs, workerCount: 3 });
  assert.deepEqual(tableRows(more.target), tableRows(one.target));
  assert.equal(more.report.generation, one.report.generation);
});

longTest('a budget that forces many buckets and passes gives the same index', async (t) => {
  // More words than tables of this budget hold, each on two pages: letters alone, as a word with a figure is none.
  const letters = (i: number) => i.toString(16).replaceAll(/\d/g, (figure) => 'ghijklmnop'[Number(figure)]!);
  const words = Array.from({ length: 6000 }, (_, i) => `q${letters(i)}x`).join(' ');
  const url = (i: number) => `https://words.example/${i}`;
  const pages = [...PAGES, ...[0, 1].map((i) => ({ url: url(i), html: document('Words', words) }))];
  const inputs = [input(file(t, 'pages.jsonl', toJsonl(pages)))];
  const expected = await build(t, { inputs });
  const actual = await build(t, { inputs, memoryBytes: 400_000 });
  assert.deepEqual(tableRows(actual.target), tableRows(expected.target));
});

longTest('the printed profile gives the same index on any number of workers and any budget', async (t) => {
  const inputs = [input(file(t, 'pages.jsonl', toJsonl(PAGES)))];
  const expected = await build(t, { ...PRINTED, inputs });
  assert.ok(expected.report.pairCount > 0);
  const actual = await build(t, { ...PRINTED, inputs, workerCount: 3, memoryBytes: 40_000 });
  assert.deepEqual(tableRows(actual.target), tableRows(expected.target));
});

longTest('progress never runs backward nor past its total, and the bytes read end at it', async (t) => {
  const path = file(t, 'pages.jsonl', toJsonl(villagePages(40)));
  const { noted } = await build(t, { inputs: [input(path)], workerCount: 2 });
  for (const { name, steps } of noted.stages) {
    let before = 0;
    for (const [done, total] of steps) {
      assert.ok(done >= before, `${name} runs backward`);
      assert.ok(total === null || done <= total, `${name} is at ${done} of ${total}`);
      before = done;
    }
  }
  const extract = noted.stages.find(({ name }) => name === 'extract')!;
  assert.equal(extract.steps.at(-1)![0], extract.steps.at(-1)![1]);
});

test('a folder and what a program gives are read byte by byte, too, with no end that is known', async (t) => {
  const folder = temporaryFolder(t);
  writeFolder(folder, PAGES);
  const bytes = PAGES.reduce((sum, { html }) => sum + Buffer.byteLength(html!), 0);
  const given = { ...input('program'), records: PAGES };
  for (const one of [{ ...input(folder), baseUrl: 'https://folder.example/' }, given]) {
    const { noted } = await build(t, { inputs: [one] });
    const { steps } = noted.stages.find(({ name }) => name === 'extract')!;
    assert.deepEqual(steps.at(-1), [bytes, null]);
  }
});

test('an unfetched page exists where links are credited and not for content alone', async (t) => {
  for (const parts of [{ content: 0.9, anchor: 0.1 }, { anchor: 1 }, { content: 1 }]) {
    const { reader } = await buildPages(t, PAGES, { parts });
    const far = urlsOf(reader).filter((url) => url.startsWith('https://far.example/'));
    assert.equal(far.length > 0, 'anchor' in parts, JSON.stringify(parts));
  }
});

test('a build leaves none of its files open', {
  skip: !existsSync('/proc/self/fd') && 'only Linux says it',
}, async (t) => {
  const path = join(temporaryFolder(t), 'pages.jsonl');
  writeFileSync(path, toJsonl(villagePages(5)));
  const { target } = await build(t, { inputs: [input(path)] });
  const open = readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)];
    } catch {
      return [];
    }
  });
  assert.deepEqual(
    open.filter((one) => one.startsWith(`${target}.work`)),
    [],
  );
});
