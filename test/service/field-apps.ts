/** Pages with fields, in an index that declares some and in one that does not, in shards and behind a process before these. */
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { splitIndex } from '../../src/indexer/shards/split-index.ts';
import type { PageFields } from '../../src/page/fields/page-fields.ts';
import { buildPages, noting } from '../indexer/build.ts';
import { type TestPage, villagePages } from '../indexer/pages.ts';
import { fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

export const NEIGHBOR_LIMIT = 8;
const DECLARED = { tag: 'any', price: 'number', day: 'date' } as const;
export const HARBOUR = 'https://village3.example';

/** Every hundredth page is rare; the first three of each site have no fields. */
function fieldsOf(i: number): PageFields | undefined {
  if (i % 100 < 3) return i % 100 === 0 ? { rare: true, tag: ['rare', 't0'] } : undefined;
  const day = `2024-05-${String((i % 28) + 1).padStart(2, '0')}`;
  return { tag: [`t${i % 3}`, `u${i % 5}`], price: i / 2, day, note: i % 7 === 1 ? '' : `page, ${i}` };
}

export const PAGES: readonly TestPage[] = villagePages(75).map((page, i) => ({
  ...page,
  fields: fieldsOf(i),
}));
export const FIELDS = new Map(PAGES.map(({ url, fields }) => [url, (fields ?? {}) as PageFields]));
// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const context = { after } as any as TestContext;
const options = { neighborLimit: NEIGHBOR_LIMIT, copies: true };
export const { target: declaredPath } = await buildPages(context, PAGES, { ...options, fields: DECLARED });
export const { target: plainPath } = await buildPages(context, PAGES, options);
const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };
export const declared = await fixtureApp(declaredPath, EXACT);
export const plain = await fixtureApp(plainPath, EXACT);
const folder = join(temporaryFolder({ after }), 'shards');
const order = { source: declaredPath, shardCount: 2, folder, memoryBytes: 64 << 20, workerCount: 1 };
const { shards } = await splitIndex(order, noting().listener);
const peers = await Promise.all(shards.map(({ path }) => fixtureApp(path, EXACT)));
const urls = await Promise.all(peers.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
export const router = await fixtureApp('', { ...EXACT, indexPath: [], peers: { urls, timeLimitMs: 20_000 } });
export const APPS = {
  declared,
  plain,
  files: await fixtureApp('', { ...EXACT, indexPath: shards.map(({ path }) => path) }),
  router,
};
