/** What is said of a page that the latest sweep of its site lacks. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { buildApp } from '../../src/service/app.ts';
import { buildPages } from '../indexer/build.ts';
import { document, prose } from '../indexer/pages.ts';
import { add, addSweeps } from '../indexer/sweeps.ts';
import { fixtureApp, pathOf } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';

test('a page that stood under its canonical URL is said to be gone, and since when', async (t) => {
  const post = (name: string, at: number) => ({
    url: `https://blog.example/${name}.html`,
    html: document(
      name,
      `<p>${prose(at)}</p>`,
      `<link rel="canonical" href="https://blog.example/${name}/">`,
    ),
    day: 1,
  });
  const { target, reader } = await buildPages(t, [post('first', 1), post('second', 2), post('third', 3)]);
  reader.close();
  const left = [post('first', 1), post('second', 2)];
  for (const sweepName of ['lacking', 'later']) await add(t, target, left, { isWhole: true, sweepName });
  const app = await buildApp({ indexPath: target });
  t.after(() => app.close());
  for (const path of ['/related', '/history', '/moved', '/page']) {
    const url = `${path}?url=${encodeURIComponent('https://blog.example/third/')}`;
    const answer = await app.inject(url);
    assert.equal(answer.statusCode, 404);
    assert.match(
      answer.json().detail,
      /third\/ is not in the index: the sweep lacking \(\d{4}-\d\d-\d\d\) found it gone/,
    );
  }
  const own = await app.inject(`/history?url=${encodeURIComponent('https://blog.example/third.html')}`);
  assert.deepEqual([own.json().gone, own.json().captures.length], [true, 1]);
  const never = await app.inject('/history?url=https%3A%2F%2Fblog.example%2Fnever%2F');
  assert.match(never.json().detail, /never\/ is not in the index; near to it are https/);
});

test('a page is gone since the day on which that was found, whenever the sweep was read', async (t) => {
  const at = (name: string, day: number, text = 7) => ({
    url: `https://blog.example/${name}`,
    html: document(`Post ${text}`, `<p>${prose(text, 120)}</p>`),
    day,
  });
  const gone = ({ url }: { url: string }, day: number) => ({ url, status: 404, day });
  const [first, second, third] = [at('first', 1), at('second', 30), at('third', 60)];
  const { target } = await addSweeps(t, [
    [first, at('steady', 1, 9)],
    [gone(first, 30), second],
    [gone(second, 60), third, gone(at('never', 1), 60)],
  ]);
  const app = await buildApp({ indexPath: target });
  t.after(() => app.close());
  const ask = async (url: string) =>
    (await app.inject(`/moved?url=${encodeURIComponent(`https://blog.example/${url}`)}`)).json();
  const { candidates } = await ask('first');
  assert.deepEqual(
    candidates.map((one: Record<string, unknown>) => [one['url'], one['gone_since']]),
    [
      [third.url, null],
      [second.url, { sweep: 'sweep-3', fetched_at: '2026-03-02T00:00:00.000Z' }],
    ],
  );
  assert.match((await ask('never')).detail, /the sweep sweep-3 \(2026-03-02\) found it gone/);
});

test('lists of every kind say of a page that it is gone, and never of a document', async () => {
  const url = 'https://blog.example/lone';
  const links = ['https://blog.example/1'];
  const pages = [1, 2, 3].map((i) => ({ url: `https://blog.example/${i}`, text: prose(i), links }));
  const indexes = recordIndexes(temporaryFolder({ after }));
  const { target } = await indexes.build('lone', [...pages, { url, text: prose(9), links }]);
  await indexes.add(target, 'second', [...pages, { url, status: 410 }]);
  // What is asked for again is not lost again, nor where it leads elsewhere then.
  await indexes.add(target, 'third', [...pages, { url, status: 404 }]);
  await indexes.add(target, 'fourth', [
    ...pages,
    { url, status: 301, location: 'https://blog.example/away' },
  ]);
  const app = await fixtureApp(target);
  for (const [sweep, lost] of [
    ['second', [url]],
    ['third', []],
    ['fourth', []],
  ] as const) {
    const changes = (await app.inject(pathOf('/changes', { sweep, news: 'lost' }))).json();
    assert.deepEqual(
      changes.pages.map((page: { url: string }) => page.url),
      lost,
      sweep,
    );
  }
  const { gone } = (await app.inject(pathOf('/page', { url }))).json();
  assert.equal(gone, true);
  const payload = { text: prose(9) };
  for (const path of ['/similar?by=copy', '/similar?by=copy&exact=true']) {
    const { related, empty_reason } = (await app.inject({ method: 'POST', url: path, payload })).json();
    assert.deepEqual([related, empty_reason], [[], 'below_threshold'], path);
  }
  const { pages: covering } = (await app.inject({ method: 'POST', url: '/cover', payload })).json();
  assert.deepEqual(covering, []);
  for (const by of ['topic', 'copy', 'cocitation', 'coupling', 'companion']) {
    const { related, empty_reason } = (await app.inject(pathOf('/related', { url, by }))).json();
    assert.deepEqual([related, empty_reason], [[], 'gone'], by);
  }
  for (const by of ['copy', 'coupling']) {
    const payload = { url, text: prose(77) };
    const answer = await app.inject({ method: 'POST', url: pathOf('/similar', { by }), payload });
    const { related, empty_reason } = answer.json();
    assert.deepEqual([related, empty_reason], [[], by === 'copy' ? 'below_threshold' : 'no_links'], by);
  }
});

test('pages that are gone are in no list, though others link to them still', async () => {
  const at = (name: string) => `https://blog.example/${name}`;
  const posts = ['first', 'second', 'third'].map((name, i) => ({
    url: at(name),
    text: `${prose(1, 60)} ${prose(20 + i, 10)}`,
    features: { tags: { rose: 5, [`own${i}`]: 1 } },
    vectors: { small: [1, 0.1 * i, 0, 0] },
  }));
  const links = posts.map(({ url }) => url);
  const hubs = [1, 2, 3].map((i) => ({ url: at(`hub-${i}`), text: prose(10 + i, 60), links }));
  const indexes = recordIndexes(temporaryFolder({ after }));
  const { target } = await indexes.build('linked', [...posts, ...hubs], { maxPageShare: 1 });
  await indexes.add(target, 'second', [...hubs, { url: at('third'), status: 410 }]);
  const live = { maxPending: 9, maxPendingBytes: 2 ** 20, share: 2, waitMs: 1e9, run: async () => false };
  const waiting = await fixtureApp(target, { live });
  const put = (url: string, payload: object) =>
    waiting.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload });
  await put(at('new'), { text: prose(20, 60) });
  const apps = [
    await fixtureApp(target),
    await fixtureApp('', { indexPath: await indexes.split(target) }),
    waiting,
  ];
  const relations = ['topic', 'copy', 'own-features', 'meaning', 'cocitation', 'companion'];
  const areListed = async (app: (typeof apps)[number], by: string) => {
    const { related } = (await app.inject(pathOf('/related', { url: at('first'), by }))).json();
    const urls = related.map(({ url }: { url: string }) => url);
    return [urls.includes(at('second')), urls.includes(at('third'))];
  };
  for (const [i, app] of apps.entries()) {
    for (const by of relations) assert.deepEqual(await areListed(app, by), [true, false], `${by} ${i}`);
  }
  const { url: _url, ...third } = posts[2]!;
  await put(at('third'), third);
  for (const by of relations) assert.deepEqual(await areListed(waiting, by), [true, true], `${by}, back`);
});
