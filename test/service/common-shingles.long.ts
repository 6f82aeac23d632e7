/** The printed profile of copies ignores the shingles of very many pages: in lists, in answers and over shards. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { noting } from '../indexer/build.ts';
import { fixtureApp } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { edited, prose } from './sweeps-index.ts';

const MOST_PAGES = 1000;
/** Of every page; four have a text of their own in common too, as far as it is not edited. */
const FRAME = prose(1, 500);
const ESSAY = prose(2, 1500);
const urlOf = (i: number) => `https://site${i}.example/`;
const textOf = (i: number) => (i < 4 ? edited(ESSAY, 90 - 10 * i) : prose(100 + i, 100));
const pages: FixturePage[] = Array.from({ length: MOST_PAGES + 20 }, (_, i) => ({
  url: urlOf(i),
  html: `<p>${FRAME} ${textOf(i)}</p>`,
}));

const folder = temporaryFolder({ after });
const indexPath = join(folder, 'printed.akin');
await buildFixture(indexPath, pages, { copyProfile: 'broder1997', templateFilter: false });
const { shards } = await splitIndex(
  { source: indexPath, shardCount: 2, folder: join(folder, 'shards'), memoryBytes: 64 << 20, workerCount: 1 },
  noting().listener,
);
const reader = IndexReader.open(indexPath);
after(() => reader.close());

/** Shared and all keys of two pages without those of more than 1,000 pages, from the stored sketches by sets alone. */
const figures = (() => {
  const sets = pages.map(({ url }) => {
    const { sketch } = reader.versions.get(reader.versions.current(reader.findPage(url)));
    return new Set(sketch.keys);
  });
  const counts = new Map<number, number>();
  for (const set of sets) for (const key of set) counts.set(key, (counts.get(key) ?? 0) + 1);
  const own = sets.map((set) => new Set([...set].filter((key) => counts.get(key)! <= MOST_PAGES)));
  return (a: number, b: number) => {
    const shared = [...own[a]!].filter((key) => own[b]!.has(key)).length;
    return { shared, total: own[a]!.size + own[b]!.size - shared };
  };
})();

test('pages that have a frame of a thousand pages in common, and little else, are no copies', () => {
  const { pageCount } = reader.card();
  const listed = new Map<string, number>();
  for (const { pageId, list } of reader.allNeighbors(reader.relation('copy')!.id)) {
    for (const [i, other] of list.ids.entries()) {
      const name = `${reader.page(pageId).url} ${reader.page(other).url}`;
      listed.set(name, list.shared[i]! / list.total[i]!);
    }
  }
  const expected = new Map<string, number>();
  for (let a = 0; a < pages.length; a++) {
    for (let b = 0; b < pages.length; b++) {
      const { shared, total } = figures(a, b);
      if (a !== b && shared > 0 && shared >= total / 2)
        expected.set(`${urlOf(a)} ${urlOf(b)}`, shared / total);
    }
  }
  assert.ok(pageCount >= pages.length && expected.size >= 6, `${expected.size}`);
  assert.deepEqual(new Map([...listed].sort()), new Map([...expected].sort()));
  assert.deepEqual(checkIndex(indexPath).faults, []);
});

for (const [name, path] of [
  ['one file', indexPath],
  ['two shards', shards.map((shard) => shard.path)],
] as const) {
  test(`a posted text is compared without the frame, by ${name}`, async () => {
    const app = await fixtureApp('', { indexPath: path });
    const similar = async (payload: string) => {
      const headers = { 'content-type': 'text/plain' };
      const answer = await app.inject({ method: 'POST', url: '/similar?by=copy', payload, headers });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json().related.map(({ url }: { url: string }) => url);
    };
    assert.deepEqual(await similar(`${FRAME} ${prose(7, 100)}`), []);
    assert.ok((await similar(`${FRAME} ${edited(ESSAY, 120)}`)).includes(urlOf(0)));
  });
}
