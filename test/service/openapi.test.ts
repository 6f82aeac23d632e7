import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Schema from 'typebox/schema';
import { parse } from 'yaml';
import { openApiDocument } from '../../src/service/app.ts';
import { EXPORTS } from '../../src/service/exports/table.ts';
import { PROBLEMS } from '../../src/service/http/problems/problem.ts';
import { asker, fixtureApp, fixtureIndex, pathOf, type Query } from './fixture-app.ts';
import { GARDEN, MOVED, TINY, TWIN, temporaryFolder } from './fixture-index.ts';
import { recordIndexes } from './record-indexes.ts';
import { writable } from './routes/writable.ts';
import { prose, writeSweepsIndex } from './sweeps-index.ts';

type Node = Record<string, unknown>;
interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
const document = JSON.parse(JSON.stringify(await openApiDocument()));
const schemas = document.components.schemas as Record<string, Node>;

/** Replaces references by what they name; the schemas have no cycles. */
function resolved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolved);
  if (typeof node !== 'object' || node === null) return node;
  const reference = (node as { $ref?: string }).$ref;
  if (reference !== undefined) return resolved(schemas[reference.split('/').at(-1)!]);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]));
}

function assertFits(name: string, value: unknown, where: string): void {
  assert.ok(schemas[name], `no schema ${name}`);
  const [fits, errors] = Schema.Errors(resolved(schemas[name]) as object, value);
  assert.ok(fits, `${where} is not a ${name}: ${JSON.stringify(errors).slice(0, 500)}`);
}

test('openapi.yaml is what the server generates (npm run openapi writes it)', async () => {
  const written = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  assert.deepEqual(written, document);
  // Apps of a process share what their routes are made of.
  assert.deepEqual(JSON.parse(JSON.stringify(await openApiDocument())), document);
});

test('every reference leads somewhere and every operation has a name of its own', () => {
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name]) => name!,
  );
  for (const name of references) assert.ok(schemas[name], name);
  assert.deepEqual(JSON.stringify(document).match(/"\$ref":"(?!#\/)[^"]+"/g), null);
  const ids = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    Object.keys(document.paths).toSorted(),
    '/changes /cluster /clusters /clusters/{id} /compare /cover /export/changes /export/clusters /export/copies /export/links /export/moved /export/pages /export/records /export/related /feedback /folds/{id} /group /history /index /livez /lost /metrics /moved /moved.html /page /pages /pages/fold /pages/pending /readyz /related /related.html /related/batch /rules /search /search/suggest /similar /sites'.split(
      ' ',
    ),
  );
});

test('bodies refuse unknown members, and every refusal that can come is named', () => {
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Node>>)) {
    for (const operation of Object.values(methods) as {
      requestBody?: { content: Record<string, { schema: Node }> };
      responses: Node;
    }[]) {
      const body = operation.requestBody?.content['application/json']?.schema;
      if (body !== undefined) assert.equal(body['additionalProperties'], false, path);
      const wanted = ['400', '408', '417', '429', '431', '500', '503', ...(body ? ['413', '415'] : [])];
      for (const status of wanted) assert.ok(operation.responses[status], `${path} ${status}`);
    }
  }
});

test('the schema of a comparison asks for two texts, as the service does', async () => {
  const schema = document.paths['/compare'].post.requestBody.content['application/json'].schema as object;
  const app = await fixtureApp(await fixtureIndex());
  const text = { text: 'one rose' };
  for (const [payload, isSound] of [
    [{}, false],
    [{ a: {}, b: {} }, false],
    [{ a: text, b: {} }, false],
    [{ a: { title: 'Roses' }, b: text }, false],
    [{ a: { ...text, html: '<p>' }, b: text }, false],
    [{ a: text, b: { url: `${GARDEN}0` } }, true],
  ] as const) {
    assert.equal(Schema.Errors(resolved(schema) as object, payload)[0], isSound, JSON.stringify(payload));
    const { statusCode } = await app.inject({ method: 'POST', url: '/compare', payload });
    assert.equal(statusCode, isSound ? 200 : 400, JSON.stringify(payload));
  }
});

test('every example fits its schema', () => {
  let count = 0;
  for (const [name, schema] of Object.entries(schemas)) {
    for (const example of (schema['examples'] as unknown[] | undefined) ?? []) {
      assertFits(name, example, `example of ${name}`);
      count++;
    }
  }
  assert.ok(count >= 2);
});

test('every answer fits the schema that the document promises', async () => {
  const app = await fixtureApp(await fixtureIndex());
  const ask = asker(app);
  const url = `${GARDEN}0`;
  const { body: cluster } = await ask('/cluster', { url });
  const answers: [schema: string, path: string][] = [
    ['Related', pathOf('/related', { url, explain: true })],
    ['Related', pathOf('/related', { url: TINY })],
    ['Related', pathOf('/related', { url, limit: 100 })],
    ['Related', pathOf('/related', { url: TWIN, by: 'copy' })],
    ['ClusterOfPage', pathOf('/cluster', { url, limit: 2 })],
    ['ClusterOfPage', pathOf('/cluster', { url: TWIN, by: 'copy' })],
    ['ClusterOfPage', pathOf('/cluster', { url, by: 'copy' })],
    ['ClusterList', '/clusters?by=copy'],
    ['Moved', pathOf('/moved', { url: TWIN })],
    ['Moved', pathOf('/moved', { url: MOVED })],
    ['History', pathOf('/history', { url })],
    ['ClusterList', '/clusters?limit=2'],
    ['Cluster', `/clusters/${cluster.cluster.id}`],
    ['Page', pathOf('/page', { url: MOVED })],
    ['Page', pathOf('/page', { url: TINY })],
    ['Index', '/index'],
    ['Search', '/search?q=rose+pruning'],
    ['Search', '/search?q=garden&limit=1'],
    ['Related', pathOf('/related', { url, cards: true })],
    ['Sites', '/sites'],
    ['SitePages', '/pages?site=bakery.example'],
    ['Alive', '/livez'],
    ['Ready', '/readyz'],
    ['Problem', '/related'],
    ['Problem', '/nowhere'],
  ];
  for (const [schema, path] of answers) assertFits(schema, (await ask(path)).body, path);
  const post = async (path: string, payload: object) =>
    (await app.inject({ method: 'POST', url: path, payload })).json();
  assertFits('RelatedBatch', await post('/related/batch', { urls: [url, 'x'] }), '/related/batch');
  assertFits('RelatedBatch', await post('/related/batch', { urls: [url], group: true }), 'with groups');
  assertFits(
    'Similar',
    await post('/similar?explain=true', { text: 'rose petal thorn cane pruning bud hip' }),
    '/similar',
  );
  assertFits('Similar', await post('/similar', { url }), '/similar');
  assertFits('Similar', await post('/similar', { text: '' }), '/similar');
  assertFits('Similar', await post('/similar?by=copy', { text: 'rose petal thorn' }), '/similar');
  assertFits('Similar', await post('/similar?by=copy', { url: TWIN }), '/similar');
  const pair = { a: { url }, b: { text: 'rose petal thorn' } };
  assertFits('Comparison', await post('/compare', pair), '/compare');
  assertFits('Comparison', await post('/compare?include_text=true', pair), '/compare');
  assertFits('Groups', await post('/group', { results: [url, TWIN, 'x', { url, text: 'y' }] }), '/group');
  assertFits('Problem', await post('/similar', {}), '/similar');
});

test('every line of an export fits the schema that the document promises of it', async () => {
  const folder = temporaryFolder({ after });
  const sweepsPath = join(folder, 'sweeps.akin');
  writeSweepsIndex(sweepsPath);
  const { build } = recordIndexes(folder);
  const { target } = await build(
    'owned',
    Array.from({ length: 12 }, (_, i) => ({
      url: `https://shop.example/${i}`,
      text: prose(i % 5, 40),
      links: [`https://shop.example/${(i + 1) % 12}`],
      ...(i > 0 && { lang: 'en', description: `About ${i}`, fields: { price: i, tags: ['a', `${i}`] } }),
      ...(i > 2 && { features: { visitors: { [`u${i % 3}`]: 1.5 } }, vectors: { small: [1, i, -i, 2] } }),
    })),
    { maxPageShare: 1, fields: { price: 'number' } },
  );
  const paths = [await fixtureIndex(), sweepsPath, target];
  const apps = await Promise.all(paths.map((path) => fixtureApp(path)));
  const queries: Record<string, Query[]> = {
    related: [
      { explain: true, cards: true, fetched: 'include' },
      ...[{ by: 'copy' }, { by: 'companion' }, { by: 'own-features', explain: true }, { by: 'meaning' }],
      { fallback: 'site', limit: 50, min_similarity: 0.9 },
    ],
    pages: [{ fetched: 'include' }],
    clusters: [{ fetched: 'include' }, { by: 'copy' }],
    links: [{ fetched: 'include' }],
    moved: [{ limit: 5 }],
    changes: [{}, { news: ['lost', 'new'] }],
  };
  const lineOf = (path: string): string =>
    document.paths[path].get.responses['200'].content['application/x-ndjson'].schema.contentSchema.items.$ref;
  for (const what of Object.keys(EXPORTS)) {
    const name = lineOf(`/export/${what}`).split('/').at(-1)!;
    const members = new Set<string>();
    for (const app of apps) {
      for (const query of queries[what] ?? [{}]) {
        const { statusCode, body } = await app.inject(pathOf(`/export/${what}`, query));
        // An index without the relation, or without texts.
        if (statusCode === 400) continue;
        assert.equal(statusCode, 200, body);
        for (const line of body.split('\n').slice(0, -1)) {
          assertFits(name, JSON.parse(line), `${what} ${JSON.stringify(query)}`);
          for (const member of Object.keys(JSON.parse(line))) members.add(member);
        }
      }
    }
    const promised = Object.keys(schemas[name]!['properties'] as object);
    // Nothing here is pinned, and no page of these has a picture or dates.
    const missing = promised.filter((member) => !members.has(member));
    assert.deepEqual(
      missing.filter((member) => !/^(pinned|image|published_at|modified_at)$/.test(member)),
      [],
      what,
    );
  }
});

test('an answer has a name for its state where the document says so, and nowhere else', async () => {
  const { app, put, ask } = await writable();
  const url = `${GARDEN}1`;
  await put(url, { text: 'one rose' });
  const { id: fold } = (await ask('POST', '/pages/fold')).body;
  const { id } = (await ask('GET', '/clusters')).body.clusters[0];
  const asked: Record<string, Query> = {
    '/search': { q: 'rose' },
    '/search/suggest': { q: 'ro' },
    '/pages': { site: 'garden.example' },
  };
  for (const [path, { get }] of Object.entries(document.paths as Record<string, { get?: Operation }>)) {
    if (get === undefined) continue;
    const needed = get.parameters?.some(({ name }) => name === 'url') === true ? { url } : {};
    const place = path.replace('/clusters/{id}', `/clusters/${id}`).replace('{id}', fold);
    const { statusCode, headers } = await app.inject(pathOf(place, asked[path] ?? needed));
    assert.equal(statusCode, 200, path);
    const named = Object.keys(get.responses['200']!.headers ?? {}).map((name) => name.toLowerCase());
    for (const name of ['etag', 'last-modified'])
      assert.equal(named.includes(name), headers[name] !== undefined, `${path} ${name}`);
    assert.equal(get.responses['304'] !== undefined, headers['etag'] !== undefined, path);
  }
});

test('problems are listed by their status', () => {
  const codes = Object.entries(PROBLEMS).map(([code, { status }]) => `${status} ${code}`);
  assert.deepEqual(
    codes,
    codes.toSorted((a, b) => Number(a.slice(0, 3)) - Number(b.slice(0, 3))),
  );
});
