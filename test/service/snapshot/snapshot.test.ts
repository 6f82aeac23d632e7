/** What is in memory of an index is what its pages were made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropPieces } from '../../../src/service/snapshot/arena.ts';
import { JsonWriter } from '../../../src/service/snapshot/json-writer.ts';
import {
  hasUrl,
  isFetched,
  nameIn,
  pageName,
  siteOfTraits,
  TRAITS_BYTES,
  traitsIn,
  traitsWord,
} from '../../../src/service/snapshot/page-record.ts';
import { loadPartsAside, Snapshot } from '../../../src/service/snapshot/snapshot.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { buildPages, pageOf } from '../../indexer/build.ts';
import { prose } from '../../indexer/pages.ts';
import { add, firstSweep, GONE_URL, HIDDEN_URL, NEW_URL } from '../../indexer/sweeps.ts';
import { fixtureIndex } from '../fixture-app.ts';
import { fixturePages, GARDEN, MOVED } from '../fixture-index.ts';

const reader = IndexReader.open(await fixtureIndex());
const card = reader.card();
const json = new JsonWriter();
const snapshots = [await Snapshot.load(reader, card), await Snapshot.load(reader, card, 0)];
const made = fixturePages().sort((a, b) => (a.url < b.url ? -1 : 1));
/** Ids are places in the order of URLs. */
const urls = made.map(({ url }) => url);

/** What is between two marks; the fixture escapes what HTML has to. */
function between(html: string, before: string, behind: string): string {
  const from = html.indexOf(before) + before.length;
  return html.slice(from, html.indexOf(behind, from)).replace('&lt;', '<').replace('&gt;', '>');
}

test('every page is found by its URL, and nothing by a near miss', () => {
  for (const snapshot of snapshots) {
    for (const [id, url] of urls.entries()) {
      assert.equal(snapshot.findPage(url), id);
      assert.equal(snapshot.findPage(`${url}0x`), -1);
      assert.equal(snapshot.findPage(url.slice(0, -1)), urls.indexOf(url.slice(0, -1)));
    }
    for (const url of ['', 'a', 'zzz', 'https://\u8594/']) assert.equal(snapshot.findPage(url), -1);
    assert.equal(snapshot.findPage(MOVED), urls.indexOf(`${GARDEN}0`));
  }
});

test('a page that leads elsewhere since a sweep is known to, in place and from a thread', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  await add(t, target, [
    { url: HIDDEN_URL, status: 301, location: GONE_URL, day: 9 },
    { url: NEW_URL, html: prose(9), day: 9 },
  ]);
  const swept = IndexReader.open(target);
  t.after(() => swept.close());
  for (const leastPagesForThread of [undefined, 0]) {
    const snapshot = await Snapshot.load(swept, swept.card(), leastPagesForThread);
    const ids = [HIDDEN_URL, GONE_URL, NEW_URL].map((url) => pageOf(swept, url).id);
    assert.deepEqual(
      ids.map((id) => snapshot.successor(id)),
      [ids[1], ids[1], ids[2]],
    );
  }
});

for (const [way, snapshot] of [
  ['in place', snapshots[0]!],
  ['on a thread', snapshots[1]!],
] as const) {
  test(`memory that is read ${way} holds what the pages say`, () => {
    for (const [id, { url, html }] of made.entries()) {
      const [title, lang] = [between(html, '<title>', '</title>'), between(html, 'lang="', '"')];
      const { siteId, ...head } = snapshot.head(id);
      assert.deepEqual(head, { url, title, lang, fetched: true });
      assert.deepEqual(snapshot.traits(id), { siteId, lang, fetched: true });
      snapshot.writeName(json.begin(), id);
      assert.deepEqual(JSON.parse(`{"url":"${json.toString()}}`), { url, title });
      assert.ok(isFetched(snapshot.traitsWord(id)));
      for (const [other, { url: otherUrl }] of made.entries()) {
        const isOneHost = new URL(url).host === new URL(otherUrl).host;
        assert.equal(snapshot.traitsWord(id) === snapshot.traitsWord(other), isOneHost);
      }
    }
  });

  test(`lists that are read ${way} are those of the file`, () => {
    const relation = reader.relation('topic')!;
    let count = 0;
    for (const id of urls.keys()) {
      const list = snapshot.neighbors(relation.id, id, Number.POSITIVE_INFINITY);
      // What orders a list is needed where one is made anew, and read from the file then.
      const { nearness: _nearness, ...stored } = reader.neighbors(relation.id, id);
      assert.deepEqual(list, stored);
      const few = snapshot.neighbors(relation.id, id, 5);
      assert.ok(few.ids.length >= Math.min(5, list.ids.length));
      assert.deepEqual(few.ids.slice(0, 5), list.ids.slice(0, 5));
      count += list.ids.length;
    }
    assert.ok(count > 5 * urls.length, `${count} entries`);
  });
}

test('a record says what is asked of its page', () => {
  for (const [siteId, fetched, url, title] of [
    [0, false, 'http://a/', 'A'],
    [70_000, true, 'http://a/b', 'with "quotes" and ü'],
    [2 ** 31 - 1, true, 'http://a/', ''],
    [2 ** 31 - 1, false, 'http://a/', ''],
  ] as const) {
    const word = Buffer.alloc(TRAITS_BYTES);
    word.writeUInt32LE(traitsWord({ siteId, fetched }));
    // It stands among others.
    const before = Buffer.from([0xff, 0xff]);
    const record = Buffer.concat([word, Buffer.from(pageName({ url, title }))]);
    const records = Buffer.concat([before, record, before]);
    const read = traitsIn(records, 2);
    assert.deepEqual([siteOfTraits(read), isFetched(read)], [siteId, fetched]);
    assert.deepEqual(nameIn(records, 2, 2 + record.length), { url, title });
    assert.ok(hasUrl(records, 2, url) && !hasUrl(records, 2, `${url}c`));
  }
});

test('a thread reads the index that was opened, and no other', async () => {
  const parts = await loadPartsAside({ path: reader.path, generation: card.generation });
  assert.equal(parts.langs.length, urls.length);
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
