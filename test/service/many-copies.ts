/** A text that very many pages have: lists say what they leave out, and no answer reads them all. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, fixtureApp } from './fixture-app.ts';
import { buildFixture, type FixturePage, temporaryFolder } from './fixture-index.ts';
import { edited, prose } from './sweeps-index.ts';

const LISTED = 4000;
const COPIES = 4100;
const TEXT = prose(7, 60);
export const urlOf = (i: number) => `https://site${i % 9}.example/${i}`;
const pages: FixturePage[] = Array.from({ length: COPIES }, (_, i) => ({
  url: urlOf(i),
  html: `<p>${TEXT}</p>`,
}));
export const NEAR = 'https://near.example/';
pages.push({ url: NEAR, html: `<p>${edited(TEXT, 30)}</p>` });

export const folder = temporaryFolder({ after });
export const indexPath = join(folder, 'many.akin');
await buildFixture(indexPath, pages);

/** Declares the test of what an index, as one file or as files of shards, lists of these pages. */
export function testListed(name: string, path: string | readonly string[], asked: readonly string[]): void {
  test(`of ${COPIES} pages of one text the first ${LISTED} are listed, and the others counted, by ${name}`, async () => {
    const ask = asker(await fixtureApp('', { indexPath: path }));
    for (const url of asked) {
      const listed = new Set<string>();
      for (let cursor = ''; cursor !== null; ) {
        const { body } = await ask('/related', { url, by: 'copy', limit: '100', ...(cursor && { cursor }) });
        assert.deepEqual([body.complete, body.left_out], [false, COPIES - LISTED], url);
        for (const item of body.related) listed.add(item.url);
        cursor = body.next;
      }
      // The page itself is one of the copies, and not listed; the other way the near copy comes to them.
      assert.equal(listed.size, LISTED, url);
      assert.equal(listed.has(NEAR), url !== NEAR);
    }
  });
}
