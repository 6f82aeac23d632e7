/** The client against the service over HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generatedTypes } from '../../scripts/answer-types.ts';
import { connect, ServiceError } from '../../src/library/client.ts';
import { openIndex } from '../../src/library/index-questions.ts';
import { ROUTES } from '../../src/service/routes/table.ts';
import { fixtureApp, fixtureIndex } from '../service/fixture-app.ts';
import { BAKERY, GARDEN, MOVED, TWIN } from '../service/fixture-index.ts';

const SRC = new URL('../../src/library/', import.meta.url);
const indexPath = await fixtureIndex();
const app = await fixtureApp(indexPath);
const address = await app.listen({ port: 0, host: '127.0.0.1' });
const client = connect(`${address}/`);
const index = await openIndex(indexPath);
after(() => index.close());
const page = `${GARDEN}1`;

test('the client says what the index says', async () => {
  const { cluster } = await index.cluster(page);
  const exclude = [`${GARDEN}2`, `${GARDEN}3`];
  for (const ask of [
    (of: typeof client | typeof index) => of.related(page, { limit: 3, exclude, lang: undefined }),
    (of: typeof client | typeof index) => of.similar({ text: 'rose petal thorn' }, { limit: 4 }),
    (of: typeof client | typeof index) => of.search('rose & thorn', { limit: 2 }),
    (of: typeof client | typeof index) => of.suggest('rose th', { limit: 2 }),
    (of: typeof client | typeof index) => of.page(MOVED),
    (of: typeof client | typeof index) => of.cluster(page),
    (of: typeof client | typeof index) => of.clusters(),
    (of: typeof client | typeof index) => of.clusterById(cluster!.id, { limit: 2 }),
    (of: typeof client | typeof index) => of.moved(MOVED),
    (of: typeof client | typeof index) => of.history(page),
    (of: typeof client | typeof index) => of.compare({ url: `${BAKERY}0` }, { url: TWIN }),
    (of: typeof client | typeof index) => of.group([`${BAKERY}0`, TWIN]),
    (of: typeof client | typeof index) => of.card(),
  ]) {
    assert.deepEqual(await ask(client), JSON.parse(JSON.stringify(await ask(index))), String(ask));
  }
  const { results } = await client.relatedBatch([page, 'https://garden.example/none'], { limit: 2 });
  assert.deepEqual(results[0], await client.related(page, { limit: 2 }));
  assert.ok('error' in results[1]! && results[1].error.code === 'page-not-indexed');
});

test('a refusal is an error with its status, code and problem', async () => {
  await assert.rejects(client.related('https://garden.example/none'), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual(
      [error.status, error.code, error.message],
      [404, 'page-not-indexed', error.problem?.detail],
    );
    return true;
  });
  const proxy = connect('http://unused.invalid', {
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  });
  await assert.rejects(proxy.card(), { status: 502, code: 'no-problem', problem: null });
});

test('an id that a path cannot have is that of no cluster, not another question', async () => {
  for (const id of ['.', '..', '', '../card', '%2e%2e', 'a/b', '?q', '#x', 'none'])
    await assert.rejects(client.clusterById(id), { name: 'ServiceError', status: 404 }, id);
  for (const id of ['.', '..'])
    await assert.rejects(client.clusterById(id), { code: 'cluster-not-found' }, id);
});

test('headers and a signal go with each request', async () => {
  const seen: RequestInit[] = [];
  const { signal } = new AbortController();
  const headers = { authorization: 'Bearer x' };
  const other = connect(address, {
    headers,
    signal,
    fetch: async (url, init) => {
      seen.push(init!);
      return fetch(url, init);
    },
  });
  await other.group([page]);
  assert.equal(seen[0]!.signal, signal);
  assert.deepEqual(seen[0]!.headers, { 'content-type': 'application/json', ...headers });
});

test('each of its methods asks the method and path of its row', async () => {
  const asked: string[] = [];
  const client = connect('http://service.example', {
    fetch: async (url, { method = 'GET' } = {}) => {
      asked.push(`${method} ${new URL(String(url)).pathname}`);
      return Response.json({});
    },
  });
  const names = Object.keys(client) as (keyof typeof client)[];
  for (const name of names) await (client[name] as (...given: unknown[]) => unknown)('x', {});
  const rows = names.map((name) => {
    const { method, path } = ROUTES[name === 'card' ? 'index' : name];
    return `${method} ${path.replace(':id', 'x')}`;
  });
  assert.deepEqual(asked, rows);
});

test('the types of questions and answers are those of the schemas (npm run openapi writes them)', () => {
  assert.equal(readFileSync(new URL('generated.ts', SRC), 'utf8'), generatedTypes());
});

test('it has at most 3 kB, and imports nothing but its questions and how it asks', () => {
  const code = ['questions', 'request', 'client'].map((name) => {
    const text = stripTypeScriptTypes(readFileSync(new URL(`${name}.ts`, SRC), 'utf8'));
    return text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s+/gm, '')
      .replace(/ {2,}/g, ' ');
  });
  assert.deepEqual(
    [...code.join('\n').matchAll(/^import .* from (.*);$/gm)].map(([, from]) => from),
    ["'./questions.ts'", "'./request.ts'"],
  );
  const sizes = { bytes: code.join('').length, compressed: gzipSync(code.join('')).length };
  assert.ok(sizes.bytes <= 3 * 1024, JSON.stringify(sizes));
});
