/** An index by the kernel bm25 against BM25 over the words of its pages; what servers answer from it. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { oneMachineOptions } from '../../src/indexer/options/build-options.ts';
import { requirePossible } from '../../src/indexer/options/possible.ts';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { akin } from '../cli/terminal.ts';
import { longTest } from '../long-test.ts';
import { asker, fixtureApp } from '../service/fixture-app.ts';
import { shortTexts, slowBm25 } from '../slow-bm25.ts';
import { type Near, slowNearness, slowVotes } from '../slow-votes.ts';
import { proveStore } from '../store/open-store.ts';
import { build, buildPages, DEFAULTS, input, noting, temporaryFolder } from './build.ts';
import { toJsonl } from './pages.ts';

const TOPIC = 1;
const BM25 = { kernel: 'bm25', parts: { content: 1 }, neighborLimit: 12 } as const;

const POSTS = shortTexts(72).map((text, i) => {
  const url = `https://posts.example/${String(i).padStart(2, '0')}`;
  return { url, text, html: `<p>${text}</p>` };
});

/** The lists of all pages, from these figures and the bags. */
function expectedLists(reader: IndexReader, near: readonly (readonly number[])[]): Near[][] {
  const bags = POSTS.map((_, page) => reader.bag(TOPIC, page));
  const lists = near.map((row, page) =>
    row
      .map((value, id) => ({ ...slowNearness(bags[page]!, bags[id]!), id, nearness: value / 65_535 }))
      .filter(({ id, nearness }) => id !== page && nearness > 0)
      .sort((a, b) => b.nearness - a.nearness || a.id - b.id)
      .slice(0, BM25.neighborLimit),
  );
  // Voters are the nearest, and weighed by how near they are.
  const voters = lists.map((list) => list.map(({ id, nearness }) => ({ id, similarity: nearness })));
  return lists.map((list, page) => {
    const bySimilarity = list.toSorted((a, b) => b.similarity - a.similarity || a.id - b.id);
    return slowVotes(bySimilarity, page, (id) => voters[id]!);
  });
}

test('lists are of the nearest by BM25, in the order of votes, with the similarity of the bags', async (t) => {
  const { reader, target } = await buildPages(t, POSTS, BM25);
  assert.equal(reader.relation('topic')!.kernel, 'bm25');
  const expected = expectedLists(reader, slowBm25(POSTS.map(({ text }) => text)));
  let isAsymmetric = false;
  for (const [page, list] of expected.entries()) {
    const { ids, shared, total, nearness } = reader.neighbors(TOPIC, page);
    assert.deepEqual(
      Array.from(ids, (id, i) => [id, shared[i]! / total[i]!, nearness![i]!]),
      list.map(({ id, similarity, nearness: near }) => [id, similarity, Math.round(65_535 * near)]),
      `page ${page}`,
    );
    for (const { id } of list) isAsymmetric ||= !expected[id]!.some((other) => other.id === page);
  }
  assert.ok(isAsymmetric);
  proveStore(target);
});

longTest('a posted text, a file in shards and pages added later have the same lists', async (t) => {
  const { reader, target } = await buildPages(t, POSTS, BM25);
  const app = await fixtureApp(target);
  const ask = asker(app);
  const folder = join(temporaryFolder(t), 'shards');
  const order = { source: target, shardCount: 3, folder, memoryBytes: 64 << 20, workerCount: 1 };
  const { shards } = await splitIndex(order, noting().listener);
  const parts = await fixtureApp('', { indexPath: shards.map(({ path }) => path) });
  for (const { path } of shards) proveStore(path);
  for (const { url, html } of POSTS.slice(0, 2)) {
    const { body: stored } = await ask('/related', { url, limit: 12, explain: true });
    const urls = stored.related.map((one: { url: string }) => one.url);
    const payload = { url, html };
    for (const server of [app, parts]) {
      const answer = await server.inject({ method: 'POST', url: '/similar?limit=12&explain=true', payload });
      assert.deepEqual(answer.json().related, stored.related, url);
      // Beyond what is stored, and those of the list first.
      const far = await server.inject({ url: `/related?url=${encodeURIComponent(url)}&limit=40` });
      const all = far.json().related.map((one: { url: string }) => one.url);
      assert.deepEqual(all.slice(0, 12), urls);
      assert.ok(all.length > 12 && new Set(all).size === all.length);
      const near = await server.inject({
        url: `/related?url=${encodeURIComponent(url)}&rank=similarity&limit=40`,
      });
      const own = POSTS.findIndex((post) => post.url === url);
      const bag = reader.bag(TOPIC, own);
      const expected = POSTS.map((_, id) => ({ id, ...slowNearness(bag, reader.bag(TOPIC, id)) }))
        .filter(({ id, similarity }) => id !== own && similarity > 0)
        .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
        .slice(0, 40);
      assert.deepEqual(
        near.json().related.map((one: { url: string }) => one.url),
        expected.map(({ id }) => POSTS[id]!.url),
      );
    }
  }
  const begun = await buildPages(t, POSTS.slice(0, 50), BM25);
  const later = join(temporaryFolder(t), 'later.jsonl');
  writeFileSync(later, toJsonl(POSTS.slice(50)));
  const added = await build(t, { ...BM25, sweepName: 'later', inputs: [input(begun.target), input(later)] });
  for (const page of POSTS.keys()) {
    assert.deepEqual(added.reader.neighbors(TOPIC, page), reader.neighbors(TOPIC, page));
  }
});

test('the index says its kernel, and a job on Spark refuses it', async (t) => {
  const { target } = await buildPages(t, POSTS, BM25);
  const { body } = await asker(await fixtureApp(target))('/index');
  assert.equal(body.relations[0].kernel, 'bm25');
  assert.equal(body.relations[0].floor, 0);
  assert.match((await akin(['show', target])).stdout, /^lists +by BM25, with the whole page as the query$/m);
  assert.deepEqual(oneMachineOptions({ ...DEFAULTS, ...BM25 }), ['--kernel bm25']);
  assert.throws(
    () => requirePossible({ ...DEFAULTS, ...BM25, meaningShare: 0.15 }),
    /--kernel bm25 goes with neither --meaning-share/,
  );
});
