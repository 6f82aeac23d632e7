/** An open index answers as the HTTP service does, value by value. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openIndex } from '../../src/library/index-questions.ts';
import type { Questions } from '../../src/library/questions.ts';
import { asker, type Body, fixtureApp, fixtureIndex, type Query } from '../service/fixture-app.ts';
import { BAKERY, GARDEN, HERBARIUM, MOVED, TWIN } from '../service/fixture-index.ts';

const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const ask = asker(app);
const index = await openIndex(indexPath);
after(() => index.close());

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const page = `${GARDEN}1`;
const get = async (path: string, query: Query = {}): Promise<Body> => (await ask(path, query)).body;
async function post(path: string, payload: object, query: Query = {}): Promise<Body> {
  const answer = await app.inject({
    method: 'POST',
    url: path,
    payload,
    query: query as Record<string, string>,
  });
  return answer.json();
}

test('each method says what its route says', async () => {
  const { cluster: topic } = await index.cluster(page);
  const document = { text: 'rose petal thorn and bread dough', title: 'Roses' };
  const [a, b] = [{ url: `${BAKERY}0` }, { url: TWIN }];
  const exclude = [`${GARDEN}2`, `${GARDEN}3`];
  const asked: Readonly<Record<keyof Questions, readonly [unknown, unknown]>> = {
    related: [
      await index.related(page, { limit: 3, explain: true, exclude, min_similarity: 0.01 }),
      await get('/related', { url: page, limit: 3, explain: true, exclude, min_similarity: 0.01 }),
    ],
    similar: [
      [await index.similar(document, { limit: 4 }), await index.similar({ like: [a, document] })],
      [await post('/similar', document, { limit: '4' }), await post('/similar', { like: [a, document] })],
    ],
    search: [
      await index.search('rose -bread', { limit: 2 }),
      await get('/search', { q: 'rose -bread', limit: 2 }),
    ],
    suggest: [await index.suggest('rose th'), await get('/search/suggest', { q: 'rose th' })],
    page: [await index.page(MOVED), await get('/page', { url: MOVED })],
    cluster: [await index.cluster(page, { limit: 2 }), await get('/cluster', { url: page, limit: 2 })],
    clusters: [await index.clusters({ sort: 'label' }), await get('/clusters', { sort: 'label' })],
    clusterById: [await index.clusterById(topic!.id), await get(`/clusters/${topic!.id}`)],
    moved: [await index.moved(MOVED), await get('/moved', { url: MOVED })],
    sites: [await index.sites({ limit: 2 }), await get('/sites', { limit: 2 })],
    sitePages: [await index.sitePages('garden.example'), await get('/pages', { site: 'garden.example' })],
    lost: [await index.lost({ limit: 2 }), await get('/lost', { limit: 2 })],
    changes: [await index.changes({ limit: 2 }), await get('/changes', { limit: 2 })],
    history: [await index.history(page), await get('/history', { url: page })],
    compare: [
      await index.compare(a, b, { include_text: true }),
      await post('/compare', { a, b }, { include_text: 'true' }),
    ],
    cover: [await index.cover(document, { limit: 2 }), await post('/cover', document, { limit: '2' })],
    group: [
      await index.group([a.url, TWIN, page], { threshold: 0.5, near: TWIN }),
      await post('/group', { results: [a.url, TWIN, page], threshold: 0.5, near: TWIN }),
    ],
    card: [await index.card(), await get('/index')],
  };
  // As JSON: what an answer has and does not say is not written.
  for (const [name, [own, http]] of Object.entries(asked)) {
    assert.deepEqual(JSON.parse(JSON.stringify(own)), http, name);
  }
});

test('lists() has the list of every page, as GET /related gives it', async () => {
  for (const preload of [false, true]) {
    const opened = await openIndex(indexPath, { preload });
    let count = 0;
    for await (const list of opened.lists({ limit: 3 })) {
      assert.deepEqual(JSON.parse(JSON.stringify(list)), await get('/related', { url: list.url, limit: 3 }));
      count++;
    }
    await opened.close();
    assert.equal(count, (await get('/index')).page_count);
  }
  const narrowed = await all(index.lists({ same_site: 'exclude', limit: 1 }));
  const own = narrowed.find(({ url }) => url === HERBARIUM);
  assert.deepEqual(
    own?.related,
    (await index.related(HERBARIUM, { same_site: 'exclude', limit: 1 })).related,
  );
});

test('a next page follows by its cursor', async () => {
  const first = await index.related(page, { limit: 2 });
  const second = await index.related(page, { limit: 2, cursor: first.next! });
  const both = await index.related(page, { limit: 4 });
  assert.deepEqual([...first.related, ...second.related], both.related);
});

test('errors have a class, a code and a hint', async () => {
  const refused: readonly [Promise<unknown>, string, string][] = [
    [index.related('https://garden.example/none'), 'NotIndexedError', 'AKIN_ERR_PAGE_NOT_INDEXED'],
    [index.clusterById('none'), 'NotIndexedError', 'AKIN_ERR_CLUSTER_NOT_FOUND'],
    [index.related('no url'), 'InputError', 'AKIN_ERR_OPTION'],
    [index.related(page, { limit: 101 }), 'InputError', 'AKIN_ERR_OPTION'],
    [index.related(page, { nonsense: 1 } as never), 'InputError', 'AKIN_ERR_OPTION'],
    [index.related(page, { cursor: 'x' }), 'InputError', 'AKIN_ERR_OPTION'],
    [index.similar({}), 'InputError', 'AKIN_ERR_DOCUMENT'],
    [index.lists({ by: 'none' as never }).next(), 'InputError', 'AKIN_ERR_OPTION'],
    [openIndex('/nowhere.akin'), 'InputError', 'AKIN_ERR_INPUT_MISSING'],
  ];
  for (const [answer, name, code] of refused) {
    await assert.rejects(answer, (error: Error & { code: string; hint?: string }) => {
      assert.deepEqual([error.name, error.code, typeof error.hint], [name, code, 'string']);
      return true;
    });
  }
});

test('a closed index answers nothing, and lists that are under way come to their end', async () => {
  const opened = await openIndex(indexPath);
  const lists = opened.lists({ limit: 1 });
  await lists.next();
  await opened.close();
  await opened.close();
  await assert.rejects(opened.related(page), { code: 'AKIN_ERR_OPTION' });
  assert.ok((await all(lists)).length > 10);
  await using other = await openIndex([indexPath]);
  assert.equal(other.generation, index.generation);
});
