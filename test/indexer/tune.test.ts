/** What `akin tune` weighs is what an index of the same shares holds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bagsOf } from '../../src/features/counted-pages.ts';
import { usedShares } from '../../src/features/parts.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { indexAlone, readStoredOptions } from '../../src/indexer/options/stored-options.ts';
import { bm25Lists } from '../../src/indexer/tune/bm25-lists.ts';
import { countPages, type LooseText } from '../../src/indexer/tune/count-pages.ts';
import { listsOfBags, type RankedLists } from '../../src/indexer/tune/lists-of-bags.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { buildFixture, fixturePages, temporaryFolder } from '../service/fixture-index.ts';

const folder = temporaryFolder({ after });
const path = join(folder, 'fixture.akin');
await buildFixture(path, fixturePages());
const quiet = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

const build = {
  ...readStoredOptions(path),
  copies: false,
  ...indexAlone(path),
  target: join(folder, 'tune.akin'),
  memoryBytes: 2 ** 28,
  workerCount: 1,
};

/** Lists of all pages, under the shares of the index. */
async function listsOfAll(options: Partial<BuildOptions>, texts: readonly LooseText[] = []) {
  const reader = IndexReader.open(path);
  const all = new Set(Array.from(reader.pages(), ({ url }) => url));
  reader.close();
  const { counted, urls } = await countPages(
    { ...build, ...options },
    { pages: all, unreadShare: 0, seed: 1, texts },
    quiet,
  );
  const shares = usedShares(build.parts, (part) => !counted.partPageCounts[counted.parts.indexOf(part)]);
  const bags = bagsOf(counted, topicRecipe(TOPIC_PROFILES[build.profile], shares));
  const { neighborLimit, floor } = build;
  return { counted, urls, bags, lists: listsOfBags(bags, { pageCount: urls.length, neighborLimit, floor }) };
}

const rowOf = ({ k, counts, ids }: RankedLists, row: number) => [
  ...ids.subarray(row * k, row * k + counts[row]!),
];

test('bags and lists of counted pages are those of the index', async () => {
  const { urls, bags, lists } = await listsOfAll({});
  const reader = IndexReader.open(path);
  const relation = reader.relation('topic')!;
  assert.equal(urls.length, reader.pageCount);
  let entries = 0;
  for (const [i, url] of urls.entries()) {
    const page = reader.findPage(url);
    const { weights, sum } = reader.bag(relation.id, page);
    // Ids differ: here features of parts are numbered that the index does not have.
    const own = bags.weights.subarray(bags.offsets[i]!, bags.offsets[i + 1]!);
    assert.deepEqual([...own].sort(), [...weights].sort(), url);
    assert.equal(bags.sums[i], sum);
    entries += own.length;
    const stored = [...reader.neighbors(relation.id, page).ids].slice(0, 10);
    assert.deepEqual(
      rowOf(lists.votes, i)
        .slice(0, 10)
        .map((other) => urls[other]),
      stored.map((other) => reader.page(other).url),
      url,
    );
  }
  assert.ok(entries > 500);
  reader.close();
});

test('lists by the kernel bm25 are those of an index by it', async () => {
  const byBm25 = join(folder, 'bm25.akin');
  await buildIndex(
    { ...build, kernel: 'bm25', inputs: [{ path, baseUrl: null, format: null }], target: byBm25 },
    quiet,
  );
  const { counted, urls, bags } = await listsOfAll({});
  const { votes } = bm25Lists(bags, counted, {
    pageCount: urls.length,
    neighborLimit: build.neighborLimit,
    floor: 0,
  });
  const reader = IndexReader.open(byBm25);
  let moved = 0;
  for (const [i, url] of urls.entries()) {
    const page = reader.findPage(url);
    const stored = [...reader.neighbors(1, page).ids].map((other) => reader.page(other).url);
    const listed = rowOf(votes, i).map((other) => urls[other]!);
    assert.deepEqual(listed, stored, url);
    moved += stored.length > 3 ? 1 : 0;
  }
  assert.ok(moved > 10);
  reader.close();
});

test('a text asks by its words alone, and is in no list', async () => {
  const reader = IndexReader.open(path);
  const page = reader.findPage('https://bakery.example/bread/1');
  const { title, text } = reader.versions.text(reader.versions.current(page))!;
  reader.close();
  const plain = await listsOfAll({});
  const asked = await listsOfAll({}, [{ isPlain: false, title, text, lang: 'en' }]);
  const last = asked.urls.length;
  assert.equal(asked.bags.sums.length, last + 1);
  assert.equal(asked.urls[rowOf(asked.lists.similarity, last)[0]!], 'https://bakery.example/bread/1');
  assert.ok(!asked.lists.votes.ids.includes(last));
  for (const row of asked.urls.keys())
    assert.deepEqual(rowOf(asked.lists.votes, row), rowOf(plain.lists.votes, row));
});

test('pages whose links are held out credit no page', async () => {
  const plain = await listsOfAll({});
  const held = await listsOfAll({ unlinked: plain.urls });
  const pagesWith = ({ counted }: typeof plain, part: string) =>
    counted.partPageCounts[counted.parts.indexOf(part)];
  for (const part of ['anchor', 'out', 'in']) {
    assert.ok(pagesWith(plain, part)! > 10, part);
    assert.equal(pagesWith(held, part), 0, part);
  }
  assert.equal(pagesWith(held, 'title'), pagesWith(plain, 'title'));
});
