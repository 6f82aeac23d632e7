/** What `akin tune` weighs is what an index of the same shares holds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { usedShares } from '../../src/features/parts.ts';
import { indexAlone, readStoredOptions } from '../../src/indexer/options/stored-options.ts';
import { countPages } from '../../src/indexer/tune/count-pages.ts';
import { listsOfBags } from '../../src/indexer/tune/lists-of-bags.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { buildFixture, fixturePages, temporaryFolder } from '../service/fixture-index.ts';

const folder = temporaryFolder({ after });
const path = join(folder, 'fixture.akin');
await buildFixture(path, fixturePages());
const quiet = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

async function counted() {
  const reader = IndexReader.open(path);
  const all = [...reader.pages()].map(({ url }) => url);
  reader.close();
  const build = {
    ...readStoredOptions(path),
    copies: false,
    ...indexAlone(path),
    target: join(folder, 'tune.akin'),
    memoryBytes: 2 ** 28,
    workerCount: 1,
  };
  return { build, ...(await countPages(build, new Set(all), quiet)) };
}

test('bags and lists of counted pages are those of the index', async () => {
  const { build, pages, urls } = await counted();
  const shares = usedShares(build.parts, (part) => pages.partPageCounts[pages.parts.indexOf(part)] === 0);
  const profile = TOPIC_PROFILES[build.profile];
  const bags = pages.bags(topicRecipe(profile, shares));
  const { neighborLimit, floor } = build;
  const lists = listsOfBags(bags, { neighborLimit, floor, rank: profile.rank, length: 10 });
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
      [...lists[i]!].map((other) => urls[other]),
      stored.map((other) => reader.page(other).url),
      url,
    );
  }
  assert.ok(entries > 500);
  reader.close();
});
