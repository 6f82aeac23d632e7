/** What the first page leads to, of an index of two sweeps in which one page is copied, one changed and one lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exhibits } from '../../src/explorer/exhibits.ts';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { buildPages } from '../indexer/build.ts';
import { document, prose } from '../indexer/pages.ts';
import { add } from '../indexer/sweeps.ts';
import { fixtureApp } from '../service/fixture-app.ts';

const page = (name: string, text: string, day: number) => ({
  url: `https://${name}.example/`,
  html: document(name, `<p>${text}</p>`),
  day,
});
/** Words that no two seeds share, so that each page is a group by itself. */
const words = (seed: number) =>
  Array.from({ length: 60 }, (_, i) => `w${'abcdefgh'[seed]}${'xyz'[i % 3]}q`.repeat((i % 5) + 1)).join(' ');

/** By it the second sweep is the whole of the site of the lost page. */
const besideLost = (day: number) => ({ ...page('lost', words(5), day), url: 'https://lost.example/about' });

const COPIES = [page('original', prose(3, 90), 1), page('twin', prose(3, 90), 1)];
const FIRST = [
  ...COPIES,
  page('changed', words(1), 1),
  page('lost', words(2), 1),
  besideLost(1),
  page('steady', words(3), 1),
];

test('a visitor who leaves takes nothing from another one who waits for the same', async (t) => {
  const { target, reader } = await buildPages(t, FIRST);
  reader.close();
  const leaving = new AbortController();
  let second: Promise<{ readonly statusCode: number }> | undefined;
  const app = await fixtureApp(target, {
    extend: (service) => {
      addExplorer(service);
      service.addHook('onRequest', async ({ url }) => {
        if (!url.startsWith('/clusters') || second !== undefined) return;
        second = app.inject({ url: '/' });
        // By then it waits for what the first visitor asks.
        await sleep(100);
        leaving.abort();
        await sleep(100);
      });
    },
  });
  await app.inject({ url: '/', signal: leaving.signal }).catch(() => {});
  assert.equal((await second!).statusCode, 200);
});

test('it leads to copies, to a page that changed and to one that is lost', async (t) => {
  const { target, reader } = await buildPages(t, FIRST);
  reader.close();
  const second = [...COPIES, page('changed', words(4), 9), besideLost(9), page('steady', words(3), 9)];
  await add(t, target, second, { isWhole: true });
  const app = await fixtureApp(target, { extend: addExplorer });
  const { body } = await app.inject('/');
  const questions = [...body.matchAll(/<li><a href="([^"]+)">([^<]+(?:<bdi>[^<]*<\/bdi>[^<]*)?)/g)].map(
    ([, href, text]) => [
      new URL(href!, 'http://akin.example').searchParams.get('url'),
      text!.replaceAll(/<[^>]*>/g, ''),
    ],
  );
  const asked = (pattern: RegExp) => questions.find(([, text]) => pattern.test(text!))?.[0];
  assert.equal(asked(/^How did .*changed/), 'https://changed.example/');
  assert.equal(asked(/^Where did .*lost/), 'https://lost.example/');
  assert.match(String(asked(/^Which pages are copies of/)), /original|twin/);
});

test('what was found while a shard was lost is looked for again', async () => {
  let asked = 0;
  const answer = async () => {
    asked++;
    return { total: 0, clusters: [], results: [] };
  };
  const visit = async (...lost: number[]) => {
    const before = asked;
    const context = { ask: { answer, lostShards: new Set(lost) } } as never;
    await exhibits(context, { generation: 'of shards', relations: [], sweeps: [] } as never);
    return asked > before;
  };
  assert.deepEqual([await visit(1), await visit(), await visit()], [true, true, false]);
});
