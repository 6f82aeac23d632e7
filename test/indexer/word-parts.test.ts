/** Headings and pairs of words as parts of the bags: through builds, additions, forgetting and `tune`, with texts and without. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { additionTo, indexAlone, readStoredOptions } from '../../src/indexer/options/stored-options.ts';
import { withoutUrls } from '../../src/indexer/options/without-urls.ts';
import { countPages } from '../../src/indexer/tune/count-pages.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { openStore } from '../store/open-store.ts';
import { buildPages, DEFAULTS, input, noting, pageOf, temporaryFolder } from './build.ts';
import { document, toJsonl } from './pages.ts';

const HOST = 'https://words.example/';
const TOPIC = 1;
const PARTS = { parts: { content: 0.4, heading: 0.3, bigram: 0.3 }, maxPageShare: 1 };
const RESOURCES = {
  memoryBytes: DEFAULTS.memoryBytes,
  workerCount: 1,
};

const page = (name: string, body: string) => ({ url: `${HOST}${name}`, html: document(name, body) });

const PAGES = [
  page('a', '<h2>Operating systems</h2><p>An operating system is a kernel. Systems operate.</p>'),
  page('b', '<p>Operators operate systems with <i>machine</i> learning</p><h3>Kernels</h3>'),
  page('c', '<h2>Kernel</h2><p>The machine learning of machines: learning</p><p>machine</p>learning'),
  page('d', '<p>lonely words here</p><h2>Systems alone</h2>'),
  page('e', '<p>operators operating systems</p>'),
];
const LATE = [page('f', '<h2>System</h2><p>machines learning, operating system</p>')];

/** Term and stem of the features of a part of a page, by name. */
function termsOf(reader: IndexReader, name: string, part: string): Record<string, string> {
  const { features } = reader.bag(TOPIC, pageOf(reader, `${HOST}${name}`).id);
  const found = [...features].map((id) => reader.feature(TOPIC, id)).filter((one) => one.part === part);
  return Object.fromEntries(found.map(({ term, stem }) => [term, stem] as const).sort());
}

/** All that an index says of the bags of pages, by URL. */
function bagsOf(reader: IndexReader): unknown {
  return [...reader.pages()].map(({ url }, id) => {
    const { features, weights } = reader.bag(TOPIC, id);
    const named = [...features].map((feature, i) => {
      const { part, stem, term, pageCount } = reader.feature(TOPIC, feature);
      return [part, stem, term, pageCount, weights[i]];
    });
    return [url, named];
  });
}

async function build(t: TestContext, pages: typeof PAGES, options: Partial<BuildOptions>): Promise<string> {
  const folder = temporaryFolder(t);
  const target = join(folder, 'words.akin');
  writeFileSync(join(folder, 'p.jsonl'), toJsonl(pages));
  const inputs = [input(join(folder, 'p.jsonl'))];
  await buildIndex({ ...DEFAULTS, ...PARTS, ...options, target, inputs }, noting().listener);
  return target;
}

test('headings and pairs are features under their stems, shown as the first page that has a pair writes it', async (t) => {
  const { reader } = await buildPages(t, PAGES, PARTS);
  assert.deepEqual(termsOf(reader, 'a', 'heading'), { systems: 'system' });
  assert.deepEqual(termsOf(reader, 'b', 'heading'), { kernel: 'kernel' });
  assert.deepEqual(termsOf(reader, 'a', 'bigram'), { 'operating systems': 'oper system' });
  assert.deepEqual(termsOf(reader, 'b', 'bigram'), {
    'machine learning': 'machin learn',
    'operating systems': 'oper system',
    'operators operate': 'oper oper',
  });
  assert.deepEqual(termsOf(reader, 'c', 'bigram'), { 'machine learning': 'machin learn' });
  assert.deepEqual(termsOf(reader, 'd', 'bigram'), {}, 'a pair of one page relates nothing');
  const feature = reader.findFeature(TOPIC, 'bigram', 'oper system')!;
  assert.equal(feature.pageCount, 3);
});

test('a part that no page has leaves its share to the others, and is named', async (t) => {
  const plain = ['a', 'b'].map((name) => page(name, `<p>${name}${name} rose garden keel</p>`));
  const { report } = await buildPages(t, plain, PARTS);
  assert.deepEqual(
    report.parts.map(({ name, pageCount, share }) => [name, pageCount, Math.round(share * 1000)]),
    [
      ['content', 2, 571],
      ['heading', 0, 0],
      ['bigram', 2, 429],
    ],
  );
});

for (const keepText of [true, false]) {
  (keepText ? longTest : test)(
    `what is added and forgotten is as if it had been built at once, ${keepText ? 'with' : 'without'} texts`,
    async (t) => {
      const target = await build(t, PAGES, { keepText });
      const late = join(temporaryFolder(t), 'late.jsonl');
      writeFileSync(late, toJsonl(LATE));
      await buildIndex(
        additionTo({ target, inputs: [input(late)], sweepName: 'second', ...RESOURCES }),
        noting().listener,
      );
      const { reader } = await buildPages(t, [...PAGES, ...LATE], { ...PARTS, keepText });
      assert.deepEqual(bagsOf(openStore(t, target)), bagsOf(reader));
      assert.deepEqual(Object.keys(termsOf(reader, 'f', 'bigram')), [
        'machine learning',
        'operating systems',
      ]);

      await buildIndex(withoutUrls({ target, ...RESOURCES }, [`${HOST}a`]).options, noting().listener);
      const without = await buildPages(t, [...PAGES.slice(1), ...LATE], { ...PARTS, keepText });
      assert.deepEqual(bagsOf(openStore(t, target)), bagsOf(without.reader));
      assert.deepEqual(Object.keys(termsOf(without.reader, 'f', 'bigram')), [
        'machine learning',
        'operate systems',
      ]);
    },
  );

  test(`an index without these parts says which it cannot get, ${keepText ? 'with' : 'without'} texts`, async (t) => {
    const source = await build(t, PAGES, { keepText, parts: { content: 1 } });
    const folder = temporaryFolder(t);
    const again = (parts: BuildOptions['parts']) =>
      buildIndex(
        { ...DEFAULTS, ...PARTS, keepText, parts, target: join(folder, 'x.akin'), inputs: [input(source)] },
        noting().listener,
      );
    await assert.rejects(again({ content: 0.5, heading: 0.5 }), {
      code: 'AKIN_ERR_OPTION',
      message: /keeps no headings/,
      hint: /give --parts content=1, or build/,
    });
    if (keepText) {
      const report = await again({ content: 0.5, bigram: 0.5 });
      assert.equal(report.parts.find(({ name }) => name === 'bigram')!.pageCount, 5);
    } else {
      await assert.rejects(again({ content: 0.5, bigram: 0.5 }), {
        code: 'AKIN_ERR_OPTION',
        message: /keeps no texts, so the parts cannot be changed/,
      });
    }
    const tuned = await countPages(
      {
        ...readStoredOptions(source),
        ...indexAlone(source),
        ...RESOURCES,
        target: join(folder, 'tune.akin'),
      },
      { pages: new Set([`${HOST}a`]), unreadShare: 0, seed: 1, texts: [] },
      noting().listener,
    );
    const texts = keepText ? ['bigram', 'anchor', 'out', 'in'] : [];
    assert.deepEqual(tuned.counted.parts, ['content', 'title', ...texts]);
  });
}

longTest(
  'an index without these parts holds nothing of them, and parts that are not asked for are dropped',
  async (t) => {
    const source = await build(t, PAGES, {});
    const target = join(temporaryFolder(t), 'y.akin');
    const parts = { content: 1 };
    await buildIndex(
      { ...DEFAULTS, maxPageShare: 1, parts, target, inputs: [input(source)] },
      noting().listener,
    );
    const { reader } = await buildPages(t, PAGES, { maxPageShare: 1, parts });
    assert.deepEqual(bagsOf(openStore(t, target)), bagsOf(reader));
    const inputsOf = (from: IndexReader) =>
      [...from.input.captures(0, from.pageCount)].map((one) => one.input);
    assert.deepEqual(inputsOf(openStore(t, target)), inputsOf(reader));
  },
);
