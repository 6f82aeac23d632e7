/** A text that very many pages have: lists say what they leave out, and no answer reads them all. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import { noting } from '../indexer/build.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { edited, prose } from './sweeps-index.ts';

const LISTED = 4000;
const COPIES = 4100;
const TEXT = prose(7, 60);
const urlOf = (i: number) => `https://site${i % 9}.example/${i}`;
const pages: FixturePage[] = Array.from({ length: COPIES }, (_, i) => ({
  url: urlOf(i),
  html: `<p>${TEXT}</p>`,
}));
const NEAR = 'https://near.example/';
pages.push({ url: NEAR, html: `<p>${edited(TEXT, 30)}</p>` });

const folder = temporaryFolder({ after });
const indexPath = join(folder, 'many.akin');
await buildFixture(indexPath, pages);
const options = { source: indexPath, shardCount: 2, folder: join(folder, 'shards') };
const { shards } = await splitIndex({ ...options, memoryBytes: 64 << 20, workerCount: 1 }, noting().listener);

for (const [name, path] of [
  ['one file', indexPath],
  ['two shards', shards.map((shard) => shard.path)],
] as const) {
  test(`of ${COPIES} pages of one text the first ${LISTED} are listed, and the others counted, by ${name}`, async () => {
    const app = await fixtureApp('', { indexPath: path });
    const ask = asker(app);
    for (const [url, isNear, leftOut] of [
      [urlOf(5), false, COPIES - LISTED],
      [NEAR, true, COPIES - LISTED],
    ] as const) {
      const listed = new Set<string>();
      for (let cursor = ''; cursor !== null; ) {
        const { body } = await ask('/related', { url, by: 'copy', limit: '100', ...(cursor && { cursor }) });
        assert.deepEqual([body.complete, body.left_out], [false, leftOut], url);
        for (const item of body.related) listed.add(item.url);
        cursor = body.next;
      }
      // The page itself is one of the copies, and not listed; the other way the near copy comes to them.
      assert.equal(listed.size, LISTED, url);
      assert.equal(listed.has(NEAR), !isNear);
    }
  });
}
