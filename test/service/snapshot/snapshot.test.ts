import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hash64 } from '../../../src/lib/hash.ts';
import { parseQueryText } from '../../../src/service/http/question/query-text.ts';
import { textHash } from '../../../src/service/http/question/request-key.ts';
import { Arena, dropPieces } from '../../../src/service/snapshot/arena.ts';
import { JsonWriter } from '../../../src/service/snapshot/json-writer.ts';
import { findSlot, insertSlot, slotCount } from '../../../src/service/snapshot/slot-table.ts';
import { loadPartsAside, Snapshot } from '../../../src/service/snapshot/snapshot.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { fixtureIndex } from '../fixture-app.ts';
import { MOVED } from '../fixture-index.ts';

const reader = IndexReader.open(await fixtureIndex());
const card = reader.card();
const json = new JsonWriter();
const snapshots = [await Snapshot.load(reader, card), await Snapshot.load(reader, card, 0)];
const pages = [...reader.pages()];

test('every page is found by its URL, and nothing by a near miss', () => {
  for (const snapshot of snapshots) {
    for (const { id, url } of pages) {
      assert.equal(snapshot.findPage(url), id);
      assert.equal(snapshot.findPage(`${url}0x`), -1);
      assert.equal(snapshot.findPage(url.slice(0, -1)), reader.findPage(url.slice(0, -1)));
    }
    for (const url of ['', 'a', 'zzz', 'https://\u8594/']) assert.equal(snapshot.findPage(url), -1);
    assert.equal(snapshot.findPage(MOVED), reader.findPage(MOVED));
  }
});

for (const [way, snapshot] of [
  ['in place', snapshots[0]!],
  ['on a thread', snapshots[1]!],
] as const) {
  test(`memory that is read ${way} holds what the file holds`, () => {
    const relation = reader.relation('topic')!;
    for (const page of pages) {
      const { url, title, lang, fetched, siteId } = page;
      assert.deepEqual(snapshot.head(page.id), { url, title, siteId, lang, fetched });
      assert.deepEqual(snapshot.traits(page.id), { siteId, lang, fetched });
      snapshot.writeHead(json.begin(), page.id);
      assert.deepEqual(JSON.parse(`{${json.toString()}}`), { url, title });
      snapshot.writeItem(json.begin(), page.id);
      assert.deepEqual(JSON.parse(`{${json.toString()}0}`), { url, title, fetched, similarity: 0 });
      for (const other of pages) {
        assert.equal(snapshot.site(page.id) === snapshot.site(other.id), page.site === other.site);
      }
      const list = reader.neighbors(relation.id, page.id);
      assert.deepEqual(snapshot.neighbors(relation.id, page.id, Number.POSITIVE_INFINITY), list);
      const few = snapshot.neighbors(relation.id, page.id, 5);
      assert.ok(few.ids.length >= Math.min(5, list.ids.length));
      assert.deepEqual(few.ids.slice(0, 5), list.ids.slice(0, 5));
    }
  });
}

test('a thread reads the index that was opened, and no other', async () => {
  const parts = await loadPartsAside({ path: reader.path, generation: card.generation });
  assert.equal(parts.langs.length, pages.length);
  await assert.rejects(loadPartsAside({ path: reader.path, generation: 'another' }), /has been replaced/);
  await assert.rejects(loadPartsAside({ path: `${reader.path}.none`, generation: card.generation }));
});

test('all that is held stands in the pieces, and goes with them', async () => {
  const parts = await loadPartsAside({ path: reader.path, generation: card.generation });
  const blocks = [...parts.neighbors.values()].flat().filter((block) => block !== undefined);
  const arrays: ArrayBufferView[] = [
    parts.langs,
    parts.slots,
    ...parts.blocks.flatMap(({ records, ends }) => [records, ends]),
    ...blocks.flatMap(({ ids, shared, total, ends }) => [ids, shared, total, ends]),
  ];
  assert.ok(arrays.every(({ buffer }) => parts.pieces.includes(buffer as ArrayBuffer)));
  await dropPieces(parts.pieces);
  assert.ok(arrays.every(({ byteLength }) => byteLength === 0));
});

test('arrays of an arena are apart, aligned, and few pieces hold them', () => {
  for (const isSmall of [true, false]) {
    const arena = new Arena(isSmall);
    const makers = [
      (length: number) => arena.bytes(length),
      (length: number) => arena.uint16(length),
      (length: number) => arena.uint32(length),
    ];
    const arrays = Array.from({ length: 300 }, (_, i) => makers[i % 3]!(i).fill(i % 251));
    assert.ok(arrays.every((array, i) => array.length === i && array.every((value) => value === i % 251)));
    assert.equal(arena.pieces.length, isSmall ? arrays.length : 1);
  }
});

test('a table of URLs finds each, and looks at hardly any other', () => {
  const urls = Array.from({ length: 5000 }, (_, i) => `https://a.example/${i}`);
  const slots = new Uint32Array(slotCount(urls.length));
  for (const [id, url] of urls.entries()) insertSlot(slots, url, id);
  let looks = 0;
  const find = (url: string) =>
    findSlot(slots, url, (id) => {
      looks++;
      return urls[id] === url;
    });
  for (const [id, url] of urls.entries()) assert.equal(find(url), id);
  for (const url of urls) assert.equal(find(`${url}x`), -1);
  assert.ok(looks < urls.length * 1.01, `${looks} looks`);
});

const similarityText = (shared: number, total: number) => json.begin().similarity(shared, total).toString();

test('a similarity is written as JSON writes it rounded to six decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 65_535 }), fc.nat(65_535), (total, part) => {
      const shared = Math.min(part, total);
      assert.equal(
        similarityText(shared, total),
        String(Math.round((shared / total) * 1e6) / 1e6).replace('1e-6', '0.000001'),
      );
    }),
    { seed: 11, numRuns: 2000 },
  );
  assert.equal(similarityText(1, 1), '1');
  assert.equal(similarityText(0, 5), '0');
  assert.equal(similarityText(1, 65_535), '0.000015');
});

test('a query is read as URLSearchParams reads it, where its escapes are valid', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const text = new URLSearchParams(pairs).toString();
      const query = parseQueryText(text);
      const expected = new Map<string, string[]>();
      for (const [name, value] of new URLSearchParams(text))
        expected.set(name, [...(expected.get(name) ?? []), value]);
      assert.deepEqual(
        new Map(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
        expected,
      );
    }),
    { seed: 12 },
  );
});

test('a hash is written in base 36, seven digits a word', () => {
  const words = new Uint32Array(2);
  fc.assert(
    fc.property(fc.string(), (text) => {
      hash64(text, words);
      assert.equal(textHash(text), Array.from(words, (word) => word.toString(36).padStart(7, '0')).join(''));
    }),
    { seed: 13 },
  );
});

test('what is written as bytes is what was written as text, however long', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constant('longer than the buffer is \u00e9\u4e00'.repeat(4000)),
  );
  fc.assert(
    fc.property(fc.array(piece), (texts) => {
      json.begin();
      for (const [i, text] of texts.entries()) {
        if (i % 2 === 0) json.text(text);
        else json.bytes(Buffer.from(text));
      }
      const expected = Buffer.from(texts.map((text) => text.toWellFormed()).join(''));
      const copy = Buffer.alloc(json.length);
      json.copyTo(copy);
      assert.deepEqual(copy, expected);
      assert.equal(json.toString(), expected.toString());
      assert.equal(json.length, expected.length);
    }),
    { seed: 14 },
  );
});
