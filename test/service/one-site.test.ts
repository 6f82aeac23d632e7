/** `max_per_site` in an index of few sites: no search for pages that cannot come. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { relatedAnswer } from '../../src/service/answers/lists/related.ts';
import type { Reads } from '../../src/service/reads/reads.ts';
import { PLAIN_LIST } from '../../src/service/schemas/parameters/list-parameters.ts';
import { buildPages } from '../indexer/build.ts';
import { villagePages } from '../indexer/pages.ts';
import { fixtureApp } from './fixture-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const context = { after } as any as TestContext;
/** Two sites of 60 pages each, without links to others. */
const PAGES = villagePages(60)
  .slice(0, 120)
  .map(({ url, html }) => ({ url, html: html!.replace(/<a .*?<\/a>/g, '') }));

/** How many pages a list has, and how often all pages were searched for it. */
async function listed(
  sites: number,
  more: Partial<typeof PLAIN_LIST>,
): Promise<[pages: number, searches: number]> {
  const { target } = await buildPages(context, PAGES.slice(0, 60 * sites), { neighborLimit: 8 });
  const app = await fixtureApp(target, { exactSearchUs: Number.POSITIVE_INFINITY });
  let searches = 0;
  const counted = (reads: Reads): Reads =>
    new Proxy(reads, {
      get(_, name) {
        if (name === 'nearest') searches++;
        const value: unknown = Reflect.get(reads, name, reads);
        return typeof value === 'function' ? value.bind(reads) : value;
      },
    });
  const { value } = await app.holder
    .current()
    .answer((reads) =>
      relatedAnswer(
        { reads: counted(reads), narrowing: { ...PLAIN_LIST, rank: 'similarity', ...more }, offset: 0 },
        3,
        '',
      ),
    );
  assert.equal(value.next, null);
  return [value.related.length, searches];
}

test('a list that has all that the sites may give is not searched for more', async () => {
  assert.deepEqual(await listed(1, { max_per_site: 3, limit: 10 }), [3, 0]);
  // More than is stored are found by one search.
  assert.deepEqual(await listed(1, { max_per_site: 10, limit: 100 }), [10, 1]);
  assert.deepEqual(await listed(2, { max_per_site: 3, limit: 10, same_site: 'only' }), [3, 0]);
  const [pages, searches] = await listed(2, { max_per_site: 10, limit: 100 });
  assert.ok(pages >= 10 && searches > 0, `${pages} ${searches}`);
});
