/** Features of their owners' as parts of the bags: from JSONL, through `add`, and what is said of those not used. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { longTest } from '../long-test.ts';
import { openStore } from '../store/open-store.ts';
import { buildPages, DEFAULTS, input, noting, pageOf, temporaryFolder } from './build.ts';
import { document, toJsonl } from './pages.ts';

const HOST = 'https://own.example/';
const TOPIC = 1;
const PARTS = { parts: { content: 0.5, tags: 0.5 }, maxPageShare: 1 };

/** A page with a text that no other has. */
function page(name: string, features: unknown) {
  return {
    url: `${HOST}${name}`,
    html: document(name, `<p>${name.repeat(4)}q ${name.repeat(3)}z</p>`),
    features,
  };
}

const PAGES = [
  page('a', { tags: { roses: 1, pruning: 3 }, visitors: { u1: 2 } }),
  page('b', { tags: { roses: 1, pruning: 3 } }),
  page('c', { tags: { roses: 1, keels: 3 } }),
  page('d', { tags: { keels: 3 } }),
  page('e', { tags: { roses: -1 } }),
  page('f', undefined),
];

/** Name and weight of the features of the part tags. */
function tagsOf(reader: IndexReader, name: string): [string, number][] {
  const { features, weights } = reader.bag(TOPIC, pageOf(reader, `${HOST}${name}`).id);
  return [...features].flatMap((id, i) => {
    const { part, stem, term } = reader.feature(TOPIC, id);
    assert.equal(stem, term);
    return part === 'tags' ? [[term, weights[i]!] as [string, number]] : [];
  });
}

function neighborsOf(reader: IndexReader, name: string): string[] {
  const { ids } = reader.neighbors(TOPIC, pageOf(reader, `${HOST}${name}`).id);
  return [...ids].map((id) => reader.page(id).url.slice(HOST.length));
}

test('pages with the same features are near, the rarer and the heavier ones first', async (t) => {
  const { reader } = await buildPages(t, PAGES, PARTS);
  assert.deepEqual(neighborsOf(reader, 'a'), ['b', 'c']);
  assert.equal(neighborsOf(reader, 'd')[0], 'c');
  const tags = new Map(tagsOf(reader, 'c'));
  // Four pages have tags: roses on three of them, keels on two; ln(4/3) : 3 ln 2 of 600, each cut at 255.
  assert.deepEqual([tags.get('roses')! > 65 && tags.get('roses')! < 80, tags.get('keels')], [true, 255]);
});

test('with a group alone pages are sets: equal ones are equal whatever their texts say, others by what they share', async (t) => {
  const setOf = (name: string, tags: string, text = name) => ({
    ...page(text, { tags: Object.fromEntries(tags.split(' ').map((tag) => [tag, 1])) }),
    url: `${HOST}${name}`,
  });
  // Each tag is on two pages, so all weigh the same.
  const pages = [
    setOf('a', 'red round sweet'),
    setOf('b', 'red round sweet'),
    setOf('c', 'blue long sour'),
    setOf('d', 'blue long bitter', 'c'),
    setOf('e', 'sour bitter hard'),
    setOf('f', 'hard', 'a'),
  ];
  const { reader } = await buildPages(t, pages, { parts: { tags: 1 }, maxPageShare: 1 });
  const similarities = (name: string) => {
    const { ids, shared, total } = reader.neighbors(TOPIC, pageOf(reader, `${HOST}${name}`).id);
    return [...ids].map((id, i) => [
      reader.page(id).url.slice(HOST.length),
      Math.round((100 * shared[i]!) / total[i]!),
    ]);
  };
  assert.deepEqual(similarities('a'), [['b', 100]]);
  assert.deepEqual(similarities('c'), [
    ['d', 50],
    ['e', 20],
  ]);
  assert.deepEqual(similarities('f'), [['e', 33]]);
});

test('bad features cost a page its features, are counted and named; a group without a share is named', async (t) => {
  const { report, reader } = await buildPages(t, PAGES, PARTS);
  assert.equal(report.fetchedPageCount, 6);
  assert.equal(report.badFeatures.recordCount, 1);
  assert.match(
    report.badFeatures.first!,
    /^https:\/\/own\.example\/e: features\.tags: the weight of "roses"/,
  );
  assert.deepEqual(report.unusedGroups, { visitors: 1 });
  assert.deepEqual(tagsOf(reader, 'e'), []);
});

test('a part that no page has and that is not built in is refused, with the parts there are', async (t) => {
  await assert.rejects(buildPages(t, PAGES, { parts: { content: 0.5, tagz: 0.5 } }), {
    code: 'AKIN_ERR_OPTION',
    message: /no page has features of the group tagz/,
    hint: /content, title, heading, bigram, anchor/,
  });
});

for (const keepText of [true, false]) {
  const declare = keepText ? longTest : test;
  declare(`features stay through an addition, ${keepText ? 'with' : 'without'} texts`, async (t) => {
    const folder = temporaryFolder(t);
    const target = join(folder, 'own.akin');
    const late = [page('g', { tags: { pruning: 3, roses: 1 } })];
    writeFileSync(join(folder, 'first.jsonl'), toJsonl(PAGES));
    writeFileSync(join(folder, 'second.jsonl'), toJsonl(late));
    const { listener } = noting();
    const first = { ...DEFAULTS, ...PARTS, keepText, target, inputs: [input(join(folder, 'first.jsonl'))] };
    await buildIndex(first, listener);
    const change = { target, inputs: [input(join(folder, 'second.jsonl'))], sweepName: 'second' };
    const resources = {
      memoryBytes: DEFAULTS.memoryBytes,
      workerCount: 1,
    };
    const report = await buildIndex(additionTo({ ...change, ...resources }), listener);
    assert.deepEqual(
      report.parts.map(({ name }) => name),
      ['content', 'tags'],
    );
    assert.deepEqual(report.unusedGroups, { visitors: 1 });
    const reader = openStore(t, target);
    const whole = await buildPages(t, [...PAGES, ...late], { ...PARTS, keepText });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'g']) {
      assert.deepEqual(tagsOf(reader, name), tagsOf(whole.reader, name), name);
    }
    assert.deepEqual(neighborsOf(reader, 'g').slice(0, 2), ['a', 'b']);
  });
}
