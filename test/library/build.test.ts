/** A build in a program: its inputs, its settings, what it says while it runs. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  buildIndex,
  type IndexInput,
  type IndexOrder,
  injectFolder,
  openIndex,
  type PageRecord,
} from '../../src/library/library.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { newFolder } from '../new-folder.ts';
import { gzipMembers, httpResponse, pageRecord, warcRecord } from '../sources/archive-bytes.ts';

const folder = newFolder('library-build');
after(() => rmSync(folder, { recursive: true, force: true }));
const to = join(folder, 'site.akin');
const record = (name: string, words: string): PageRecord => ({
  url: `https://site.example/${name}`,
  html: `<title>${name}</title><p>${words}`,
});
const quick = { workerCount: 1, memoryBytes: 2 ** 26 };

mkdirSync(join(folder, 'public'));
for (const [name, words] of [
  ['roses', 'roses and thorns in a garden'],
  ['canes', 'canes of roses in a garden'],
]) {
  writeFileSync(join(folder, 'public', `${name}.html`), `<title>${name}</title><p>${words}`);
}

test('archives of a crawl are of the sweeps that their names say', async () => {
  const moved = httpResponse('', { Location: '/3' }, '301 Moved');
  const archives = Object.entries({
    'sweep-0001-00001.warc.gz': [pageRecord(1), pageRecord(2)],
    'sweep-0002-00001.warc.gz': [warcRecord('response', 'https://example.org/1', moved), pageRecord(3)],
  }).map(([name, records]) => {
    writeFileSync(join(folder, name), gzipMembers(records));
    return join(folder, name);
  });
  const at = join(folder, 'crawled.akin');
  const report = await buildIndex({ inputs: archives, to: at, ...quick });
  assert.deepEqual([report.sweeps, report.pageCount], [['sweep-1', 'sweep-2'], 2]);
  await using index = await openIndex(at);
  assert.equal((await index.page('https://example.org/1')).gone, true, 'it leads elsewhere since');
});

test('folders and records of any kind make one index, and an index takes in more', async () => {
  async function* later() {
    yield record('bread', 'bread of rye and wheat');
    yield { url: 'https://site.example/gone', status: 404 };
    yield { url: 'no url', text: 'x' };
  }
  const stages: string[] = [];
  const faults: string[] = [];
  const report = await buildIndex({
    inputs: [
      { folder: join(folder, 'public'), base: 'https://site.example/', cleanUrls: true },
      [record('rye', 'rye bread needs sourdough')],
      later(),
    ],
    to,
    sweep: 'first',
    on: {
      stageEnded: ({ name }) => stages.push(name),
      fault: ({ where, reason }) => faults.push(`${reason} ${where}`),
    },
    ...quick,
  });
  assert.deepEqual([report.pageCount, report.sweeps, report.skipped], [4, ['first'], { status: 1, url: 1 }]);
  assert.deepEqual(stages.slice(0, 3), ['extract', 'collapse', 'merge']);
  assert.deepEqual(faults, ['status inputs[2][1] https://site.example/gone', 'url no url']);

  /** One that has the methods by its class, and counts. */
  class Counter {
    count = 0;
    stageStarted() {
      this.count++;
    }
  }
  const on = new Counter();
  const added = await buildIndex({ inputs: [to, [record('oven', 'an oven bakes bread')]], to, on, ...quick });
  assert.ok(on.count > 3, `${on.count} stages`);
  assert.deepEqual([added.pageCount, added.sweeps], [5, ['sweep-2']]);
  await using index = await openIndex(to);
  assert.equal((await index.page('https://site.example/roses')).title, 'roses');
  assert.equal(index.generation, added.generation);
});

test('settings are those of the command line, by name', async () => {
  const inputs = [[record('a', 'roses in a garden'), record('b', 'roses in a pot'), record('c', 'bread')]];
  await buildIndex({ inputs, to, parts: { content: 1 }, copies: false, neighborLimit: 5, ...quick });
  await using index = await openIndex(to);
  const { parameters, relations } = await index.card();
  assert.equal(
    relations.some(({ by }) => by === 'copy'),
    false,
  );
  assert.deepEqual(parameters['parts'], { content: 1 });
});

test('a value that stands for the default of the profile is that default', async () => {
  const inputs = [[record('a', 'roses in a garden'), record('b', 'roses in a pot'), record('c', 'bread')]];
  await buildIndex({ inputs, to, copyProfile: 'cs276', copySimilarity: 0, ...quick });
  await using index = await openIndex(to);
  const copies = (await index.card()).relations.find(({ by }) => by === 'copy');
  assert.equal(copies?.floor, 0.8);
});

test('classes are of pages by their URLs in any form, the first of a page counts, and their order does not', async () => {
  const inputs = [[record('a', 'roses in a garden'), record('b', 'roses in a pot'), record('c', 'bread')]];
  const [a, b] = ['https://SITE.example:443/a#top', 'https://site.example/b'];
  const under = async (...classes: [string, string][]) => {
    const { generation } = await buildIndex({ inputs, to, classes, ...quick });
    using reader = IndexReader.open(to);
    return { generation, classes: reader.card().parameters['classes'] };
  };
  const made = await under([b, 'Garden'], [a, 'Garden/Roses'], [b, 'Food']);
  assert.deepEqual(made.classes, [
    ['https://site.example/a', 'Garden/Roses'],
    [b, 'Garden'],
  ]);
  assert.deepEqual(await under([a, 'Garden/Roses'], [b, 'Garden']), made);
  await assert.rejects(under(['site.example/a', 'Garden']), { code: 'AKIN_ERR_CONFIG' });
});

test('what is no input is named', async () => {
  for (const none of [null, undefined, 3, {}]) {
    const inputs = [none] as unknown as IndexInput[];
    await assert.rejects(buildIndex({ inputs, to }), {
      code: 'AKIN_ERR_OPTION',
      message: /^inputs\[0\] is neither/,
    });
  }
  const inputs = 'pages.jsonl' as unknown as IndexInput[];
  await assert.rejects(buildIndex({ inputs, to }), /^InputError: inputs is no array/);
  await assert.rejects(buildIndex({ inputs: [[]], to: undefined as unknown as string }), /to is no path/);
  for (const none of [undefined, null, 5, '', [], ['']] as unknown as string[])
    await assert.rejects(openIndex(none), /^InputError: the index is no path/);
  const options = { base: 'https://site.example/' };
  await assert.rejects(injectFolder(undefined as unknown as string, options), /the folder is no path/);
});

test('what cannot be used is refused before anything is read', async () => {
  const orders: readonly [Partial<Record<keyof IndexOrder | 'nonsense', unknown>>, string, RegExp][] = [
    [{ inputs: [join(folder, 'public')] }, 'AKIN_ERR_OPTION', /has no URL/],
    [{ inputs: [{ folder: '/nowhere', base: 'https://a.example/' }] }, 'AKIN_ERR_INPUT_MISSING', /nowhere/],
    [{ inputs: [{ folder, base: 'a.example' }] }, 'AKIN_ERR_URL', /a\.example/],
    [{ inputs: ['/nowhere.warc'] }, 'AKIN_ERR_INPUT_MISSING', /nowhere/],
    [{ inputs: [[]] }, 'AKIN_ERR_INPUT_EMPTY', /no page/],
    [
      { inputs: [[]], neighborLimit: 0, floor: 'x', nonsense: 1 },
      'AKIN_ERR_CONFIG',
      /nonsense\n.*neighborLimit.*\nfloor/,
    ],
    [{ inputs: [[]], pairSimilarity: 0.9 }, 'AKIN_ERR_CONFIG', /0\.9/],
    [
      { inputs: [[]], stopWords: ['the'], classes: { 'https://a.example/': 'Science' } },
      'AKIN_ERR_CONFIG',
      /^stopWords is \["the"\]; allowed: a text, a word a line\nclasses is \{.*\}; allowed: pairs of an http\(s\) URL and a path$/,
    ],
    [
      { inputs: [[]], profile: 'haveliwala2000', lend: 0.5, kernel: 'bm25', seed: 2 },
      'AKIN_ERR_CONFIG',
      /^lend is 0\.5, which has no effect with profile "haveliwala2000"\nkernel is "bm25", .*"haveliwala2000"$/,
    ],
    [
      { inputs: [[]], copies: false, copyClusterings: '0.9', keepText: true },
      'AKIN_ERR_CONFIG',
      /^copyClusterings is \["0\.9"\], which has no effect with copies false$/,
    ],
  ];
  const target = join(folder, 'refused.akin');
  for (const [order, code, message] of orders) {
    const build = buildIndex({ to: target, ...quick, ...order } as IndexOrder);
    await assert.rejects(build, (error: Error & { code: string }) => {
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  }
});
