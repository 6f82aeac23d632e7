/** Two tenants in one index, each with a key for the pages that have its field: no route says anything of the other. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { KeyRing, newKey, readKeys } from '../../src/service/keys/key-ring.ts';
import { buildPages } from '../indexer/build.ts';
import { type TestPage, villagePages } from '../indexer/pages.ts';
import { type Body, fixtureApp, pathOf } from './fixture-app.ts';

/** Stands in each page of the other tenant: in its words, its title, its URL, its fields. */
const MARKER = 'zebrafinch';
const isOther = (i: number) => i % 2 === 1;
const PAGES: readonly TestPage[] = villagePages(20).map((page, i) => ({
  ...page,
  ...(isOther(i) && {
    url: page.url.replace(/\/([^/]*)$/, `/${MARKER}-$1`),
    html: page.html!.replace('</title>', ` ${MARKER}</title>`).replace('</p>', ` ${MARKER} ${MARKER}</p>`),
  }),
  fields: { tenant: isOther(i) ? `${MARKER}` : 'acme', [isOther(i) ? `${MARKER}_name` : 'name']: `n${i}` },
}));
const own = PAGES.filter((_, i) => !isOther(i)).map(({ url }) => url);
const other = PAGES.filter((_, i) => isOther(i)).map(({ url }) => url);

// biome-ignore lint/suspicious/noExplicitAny: the test's context stands in for that of the file
const { target } = await buildPages({ after } as any as TestContext, PAGES, { copies: true, search: true });
const acme = newKey({ name: 'acme', scope: 'read', field: 'tenant=acme' });
const writer = newKey({ name: 'acme-app', scope: 'operate', field: 'tenant=acme' });
const lead = newKey({ name: 'lead', scope: 'operate' });
const keys = new KeyRing(readKeys([acme, writer, lead].map(({ line }) => line).join('\n'), 'keys'));
const app = await fixtureApp(target, { keys, exports: 'anyone' });

async function asked(key: string, url: string, method = 'GET', payload?: unknown) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(payload !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

const json = ({ text }: { text: string }): Body => JSON.parse(text);
const urlsOf = (body: Body): string[] => body.related.map(({ url }: Body) => url);

test('lists and searches of a tenant are those of its own pages', async () => {
  const list = json(await asked(acme.key, pathOf('/related', { url: own[0]!, limit: 100 })));
  assert.ok(list.related.length > 5 && urlsOf(list).every((url) => own.includes(url)));
  const whole = json(await asked(lead.key, pathOf('/related', { url: own[0]!, limit: 100 })));
  assert.ok(urlsOf(whole).some((url) => other.includes(url)));
  // As long as there are pages of the tenant, in the order of all.
  assert.deepEqual(
    urlsOf(list).filter((url) => urlsOf(whole).includes(url)),
    urlsOf(whole).filter((url) => own.includes(url)),
  );
  const word = /\b[a-z]{6,}\b/.exec(PAGES[0]!.html!.replace(/<[^>]*>/g, ' '))![0];
  const found = json(await asked(acme.key, pathOf('/search', { q: word, limit: 100 })));
  assert.ok(found.total > 0 && found.results.every(({ url }: Body) => own.includes(url)));
  assert.equal(json(await asked(acme.key, pathOf('/search', { q: MARKER }))).total, 0);
  assert.deepEqual(json(await asked(acme.key, pathOf('/search', { q: 'zebrafinxh' }))).corrected, []);
  assert.equal(
    json(await asked(lead.key, pathOf('/search', { q: 'zebrafinxh ' }))).corrected[0].instead,
    MARKER,
  );
});

test('a page of another tenant is answered as one that is not there', async () => {
  const shape = ({ status, text }: { status: number; text: string }) => {
    return [status, text.replaceAll(/https?[^" ]*/g, 'URL')];
  };
  const nowhere = new URL('/nowhere', other[0]!).href;
  for (const more of [{}, { missing: '200' }, { by: 'copy' }, { explain: 'true' }]) {
    const [given, none] = [other[0]!, nowhere].map((url) =>
      asked(acme.key, pathOf('/related', { url, ...more })),
    );
    assert.deepEqual(shape(await given!), shape(await none!));
  }
  const batch = json(
    await asked(acme.key, '/related/batch', 'POST', { urls: [other[0], own[0]], group: true }),
  );
  assert.deepEqual(
    batch.results.map(({ error }: Body) => error?.code),
    ['page-not-indexed', undefined],
  );
  assert.equal(batch.groups, undefined);
  for (const within of [`tenant=${MARKER}`, 'tenant=acme,x', '']) {
    assert.equal((await asked(acme.key, pathOf('/related', { url: own[0]!, within }))).status, 403, within);
  }
  const twice = pathOf('/related', { url: own[0]!, within: ['tenant=acme', `tenant=${MARKER}`] });
  assert.equal((await asked(acme.key, twice)).status, 403);
  assert.deepEqual(
    urlsOf(json(await asked(acme.key, pathOf('/related', { url: own[0]!, 'field.tenant': MARKER })))),
    [],
  );
});

test('through no route, with no key of a tenant, does anything of another come', async () => {
  const document = json(await asked(lead.key, '/openapi.json'));
  let count = 0;
  let opened = 0;
  const ask = async (key: string, url: string, method: string, payload?: unknown) => {
    const { status, text, headers } = await asked(key, url, method, payload);
    count++;
    if (status < 300) opened++;
    const said = `${text} ${JSON.stringify(headers)}`;
    // What was asked about stands in answers.
    const question = decodeURIComponent(url) + (JSON.stringify(payload) ?? '');
    const rest = other
      .filter((one) => question.includes(one))
      .flatMap((one) => [encodeURIComponent(one), one])
      .reduce((left, given) => left.replaceAll(given, ''), said);
    assert.ok(!rest.includes(MARKER), `${method} ${url} ${JSON.stringify(payload)}: ${rest.slice(0, 400)}`);
  };
  for (const [path, methods] of Object.entries(document.paths as Body)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods as Body) as [
      string,
      Body,
    ][]) {
      const names: string[] = parameters
        .filter((one: Body) => one.in === 'query')
        .map(({ name }: Body) => name);
      for (const page of [own[0]!, other[0]!]) {
        const plain = {
          ...(names.includes('url') && { url: page }),
          ...(names.includes('q') && { q: 'the' }),
          ...(names.includes('site') && { site: new URL(page).hostname }),
          ...(names.includes('limit') && { limit: 100 }),
        };
        const views: Record<string, string>[] = [{}];
        for (const [name, value] of Object.entries(VIEWS)) {
          if (names.includes(name)) views.push(...value.map((one) => ({ [name]: one })));
        }
        const bodies = requestBody === undefined ? [undefined] : BODIES(page);
        for (const view of views) {
          for (const body of bodies) {
            for (const key of [acme.key, writer.key]) {
              const place = path.replace(/\{\w+\}/g, 'x');
              await ask(key, pathOf(place, { ...plain, ...view }), method.toUpperCase(), body);
            }
          }
        }
      }
    }
  }
  assert.ok(count > 200 && opened > 40, `${count} asked, ${opened} opened`);
});

/** What shows more of pages than their URLs. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  cards: ['true'],
  explain: ['true'],
  facets: ['tenant', 'site', 'name', 'nothing'],
  fields: ['tenant', 'nothing'],
  by: ['copy', 'cocitation', 'coupling', 'companion'],
  exclude_copies: ['true'],
  group: ['none', 'copies'],
  missing: ['200'],
  diversity: ['0.5'],
  'field.nothing': ['x'],
};

const BODIES = (page: string) => [
  { urls: [page, other[1]], group: true, limit: 100 },
  { urls: [page], explain: true, cards: true, facets: ['tenant'] },
  { url: page },
  { like: [{ url: page }] },
  { a: { url: own[0] }, b: { url: page } },
  { results: [page, own[0]] },
  { rules: [{ pin: [page] }] },
];
