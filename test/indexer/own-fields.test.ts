/** Fields of their owners: from JSON lines into the index, through additions, forgetting and shards. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { withoutUrls } from '../../src/indexer/options/without-urls.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { parseCondition } from '../../src/page/fields/field-condition.ts';
import { FIELD_BLOCK_PAGES } from '../../src/store/blobs/field-blobs.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { FieldWriter } from '../../src/store/write/field-writer.ts';
import { longTest } from '../long-test.ts';
import { openStore } from '../store/open-store.ts';
import { buildPages, DEFAULTS, input, noting, pageOf, temporaryFolder } from './build.ts';
import { document, toJsonl } from './pages.ts';
import { add, buildSweeps, differingTables } from './sweeps.ts';

const HOST = 'https://own.example/';
const FIELDS = { category: 'any', price: 'number', day: 'date' } as const;
const RESOURCES = {
  memoryBytes: DEFAULTS.memoryBytes,
  workerCount: 1,
  isWhole: false,
};

function page(name: string, fields?: unknown, day = 0) {
  return {
    url: `${HOST}${name}`,
    html: document(name, `<p>${name.repeat(4)}q ${name.repeat(3)}z tea</p>`),
    fields,
    day,
  };
}

/** A page with fields in its head; `more` stands in the record. */
function headed(name: string, metas: string, more?: unknown) {
  const plain = page(name, more);
  return { ...plain, html: plain.html.replace('<title>', `${metas}<title>`) };
}

const PAGES = [
  page('a', { category: 'tea', price: 12.5, day: '2024-05-01', tags: ['green', 'loose'] }),
  page('b', { category: ['tea', 'gift'], price: 30, day: '2024-05-01T10:00:00+02:00', organic: true }),
  page('c', { category: 7, price: [1, 5] }),
  page('d', { category: 'cup', price: 'cheap' }),
  page('e', { category: 'cup', day: { year: 2024 } }),
  page('f'),
];

const fieldsOf = (reader: IndexReader, name: string) =>
  reader.fields.get(pageOf(reader, `${HOST}${name}`).id);
const none = { spend() {} };

/** Names of the pages of a condition, one by one and all at once. */
function found(reader: IndexReader, condition: string): string {
  const { name, tests } = parseCondition(condition)!;
  const few = reader.fields.test(name, tests!, none);
  const ids = Array.from(reader.pages(), ({ id }) => id);
  const passing = ids.filter(few);
  const many = reader.fields.test(name, tests!, none);
  for (let i = 0; i < 100; i++) many(0);
  assert.deepEqual(ids.filter(many), passing, condition);
  return passing.map((id) => reader.page(id).url.slice(HOST.length)).join('');
}

const CONDITIONS: [string, string][] = [
  ['category=tea', 'ab'],
  ['category=gift,7', 'bc'],
  ['price=..12.5', 'ac'],
  ['price=2..4', ''],
  ['price=20..', 'b'],
  ['day=2024-05-01', 'ab'],
  ['day=2024-05-01T08:00..', 'b'],
  ['tags=loose', 'a'],
  ['organic=true', 'b'],
];

test('fields stand in the index, those that are declared by their values; bad ones are counted and named', async (t) => {
  const { report, reader } = await buildPages(t, PAGES, { fields: FIELDS });
  assert.deepEqual(fieldsOf(reader, 'a'), PAGES[0]!.fields);
  assert.deepEqual(fieldsOf(reader, 'b'), PAGES[1]!.fields);
  assert.deepEqual(
    [fieldsOf(reader, 'd'), fieldsOf(reader, 'e'), fieldsOf(reader, 'f')],
    [{ category: 'cup' }, {}, {}],
  );
  assert.equal(report.fetchedPageCount, 6);
  assert.deepEqual(report.badFields, {
    recordCount: 2,
    first: 'https://own.example/d: fields.price: "cheap" is no number',
  });
  assert.deepEqual(reader.card().fields, [
    { name: 'category', kind: 'any', pageCount: 4 },
    { name: 'day', kind: 'date', pageCount: 2 },
    { name: 'organic', kind: null, pageCount: 1 },
    { name: 'price', kind: 'number', pageCount: 3 },
    { name: 'tags', kind: null, pageCount: 1 },
  ]);
  for (const [condition, names] of CONDITIONS) assert.equal(found(reader, condition), names, condition);
});

longTest('an addition that declares fields takes those of earlier pages by their kinds, too', async (t) => {
  const sweeps = [PAGES, [page('g', { price: 3 }, 1)]];
  const { target } = await buildSweeps(t, sweeps.slice(0, 1));
  const { badFields } = await add(t, target, sweeps[1]!, { fields: FIELDS });
  assert.equal(badFields.first, 'https://own.example/d: fields.price: "cheap" is no number');
  const once = await buildSweeps(t, sweeps, { fields: FIELDS });
  assert.deepEqual(differingTables(target, once.target), []);
});

test('without a declaration the same pages are found', async (t) => {
  const { report, reader } = await buildPages(t, PAGES);
  assert.match(report.badFields.first!, /^https:\/\/own\.example\/e: fields\.day: \{"year":2024\} is no/);
  assert.deepEqual(fieldsOf(reader, 'd'), PAGES[3]!.fields);
  for (const [condition, names] of CONDITIONS) assert.equal(found(reader, condition), names, condition);
});

for (const keepText of [true, false]) {
  const name = `fields stay through additions, forgetting and shards, ${keepText ? 'with' : 'without'} texts`;
  const declare = keepText ? test : longTest;
  declare(`${name}; a new capture brings its own, or none`, async (t) => {
    const folder = temporaryFolder(t);
    const target = join(folder, 'own.akin');
    writeFileSync(join(folder, 'first.jsonl'), toJsonl(PAGES));
    const late = [page('a', { category: 'cup' }, 1), page('b', undefined, 1), page('g', { price: 99 }, 1)];
    writeFileSync(join(folder, 'second.jsonl'), toJsonl(late));
    const { listener } = noting();
    const options = { ...DEFAULTS, fields: FIELDS, keepText, target };
    await buildIndex({ ...options, inputs: [input(join(folder, 'first.jsonl'))] }, listener);
    const change = { target, inputs: [input(join(folder, 'second.jsonl'))], sweepName: 'second' };
    await buildIndex(additionTo({ ...change, ...RESOURCES }), listener);
    const { options: without } = withoutUrls({ target, ...RESOURCES }, [`${HOST}c`]);
    await buildIndex(without, listener);
    const reader = openStore(t, target);
    const all = Object.fromEntries(['a', 'b', 'e', 'g'].map((name) => [name, fieldsOf(reader, name)]));
    assert.deepEqual(all, { a: { category: 'cup' }, b: {}, e: {}, g: { price: 99 } });
    assert.equal(found(reader, 'price=0..'), 'g');
    if (!keepText) return;
    const split = {
      source: target,
      shardCount: 2,
      folder: join(folder, 'shards'),
      memoryBytes: 64 << 20,
      workerCount: 1,
    };
    const { shards } = await splitIndex(split, listener);
    const readers = shards.map(({ path }) => openStore(t, path));
    const ofAll = ({ fields, ownPageCount }: IndexReader) =>
      Array.from({ length: ownPageCount }, (_, page) => [page, fields.get(page)] as const);
    const seen = readers.flatMap((shard) =>
      ofAll(shard).map(([page, fields]) => [shard.page(page).url, fields] as const),
    );
    assert.deepEqual(
      new Map(seen),
      new Map(ofAll(reader).map(([page, fields]) => [reader.page(page).url, fields])),
    );
    assert.equal(readers.map((shard) => found(shard, 'price=0..')).join(''), 'g');
  });
}

longTest('what another URL says of a page waits until it speaks for itself again', async (t) => {
  const folder = temporaryFolder(t);
  const target = join(folder, 'own.akin');
  const folds = (name: string) =>
    document(name, '<p>tea and cups</p>').replace('<head>', `<head><link rel="canonical" href="${HOST}x">`);
  const first = [
    {
      url: `${HOST}x`,
      html: document('x', '<p>tea and cups</p>'),
      day: 1,
      fields: { of: 'x' },
    },
    { url: `${HOST}y`, html: folds('y'), day: 0, fields: { of: 'y' } },
  ];
  writeFileSync(join(folder, 'first.jsonl'), toJsonl(first));
  writeFileSync(join(folder, 'second.jsonl'), toJsonl([page('z')]));
  const { listener } = noting();
  await buildIndex({ ...DEFAULTS, target, inputs: [input(join(folder, 'first.jsonl'))] }, listener);
  for (const _again of [1, 2]) {
    await buildIndex(
      additionTo({ target, inputs: [input(join(folder, 'second.jsonl'))], sweepName: '', ...RESOURCES }),
      listener,
    );
  }
  assert.deepEqual(fieldsOf(openStore(t, target), 'x'), { of: 'x' });
  writeFileSync(join(folder, 'third.jsonl'), toJsonl([{ url: `${HOST}x`, status: 404, day: 2 }]));
  await buildIndex(
    additionTo({ target, inputs: [input(join(folder, 'third.jsonl'))], sweepName: '', ...RESOURCES }),
    listener,
  );
  const reader = openStore(t, target);
  assert.deepEqual([fieldsOf(reader, 'x'), fieldsOf(reader, 'y')], [{}, { of: 'y' }]);
});

test('the check names fields that are not what a build writes', async (t) => {
  const { target } = await buildPages(t, PAGES, { fields: FIELDS });
  const damages: [string, RegExp][] = [
    [
      `UPDATE page_field SET fields = '{"price":1,"category":"tea"}' WHERE page_id = 0`,
      /page 0 has fields that no build writes/,
    ],
    [`UPDATE field SET page_count = 9 WHERE name = 'tags'`, /field tags counts 9 pages, 1 have it/],
    [
      `DELETE FROM field_value WHERE value = 'gift'`,
      /values of fields lead to 10 pages, not to the 11 that have them/,
    ],
    [`UPDATE field_value SET block_id = 1 WHERE value = 'gift'`, /lead to 11 pages, not to the 11/],
  ];
  for (const [sql, fault] of damages) {
    const path = join(temporaryFolder(t), 'damaged.akin');
    copyFileSync(target, path);
    const db = new Database(path);
    assert.equal(db.prepare(sql).run().changes, 1);
    db.close();
    assert.match(checkIndex(path).faults.join('\n'), fault);
  }
});

test('a value has a row in each block that has a page with it', () => {
  const rows: unknown[][] = [];
  const writer = new FieldWriter((table, ...values) => table === 'field_value' && rows.push(values), {
    x: 'any',
  });
  const ids = [0, 1, 9, FIELD_BLOCK_PAGES - 1, FIELD_BLOCK_PAGES, 3 * FIELD_BLOCK_PAGES + 5];
  for (const id of ids) writer.add(id, JSON.stringify({ x: [id % 2, 'odd', 'odd'] }));
  writer.finish();
  const expected = [0, 1, 3].flatMap((block) => {
    const places = ids.filter((id) => Math.floor(id / FIELD_BLOCK_PAGES) === block);
    return [...new Set(places.flatMap((id) => [id % 2, 'odd']))].map((value) => [0, value, block]);
  });
  assert.deepEqual(rows.map((row) => row.slice(0, 3)).sort(), expected.sort());
});

test('a page gives fields in its head; those of its record go before, and the limits are the same', async (t) => {
  const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
  const many = Array.from({ length: 65 }, (_, i) => meta(`akin:n${i}`, 'x')).join('');
  const pages = [
    headed(
      'a',
      meta('akin:category', ' tea &amp; cake ') + meta('AKIN:Price', '12.5') + meta('akin:new', 'true'),
    ),
    headed(
      'b',
      meta('akin:tags', 'green') + meta('akin:tags', '7') + meta('akin:tags', '007') + meta('akin:no', ' '),
    ),
    headed('c', meta('akin:category', 'tea'), { category: 'cup' }),
    headed('d', meta('akin:bad name', 'x')),
    headed('e', many),
    headed('f', meta('akin', 'nofollow') + meta('akin-x', 'y')),
  ];
  const { target, report } = await buildPages(t, pages, { fields: { category: 'any' } });
  const reader = openStore(t, target);
  assert.deepEqual(fieldsOf(reader, 'a'), { Price: 12.5, category: 'tea & cake', new: true });
  assert.deepEqual(fieldsOf(reader, 'b'), { tags: ['green', 7, '007'] });
  assert.deepEqual(fieldsOf(reader, 'c'), { category: 'cup' });
  for (const name of 'def') assert.deepEqual(fieldsOf(reader, name), {}, name);
  assert.match(JSON.stringify(report), /the name .*bad name/);
  assert.equal(found(reader, 'category=cup,tea \\& cake'), 'ac');
});
