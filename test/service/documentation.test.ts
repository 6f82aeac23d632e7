/** What /docs shows can be tried as it stands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEMS, type ProblemCode } from '../../src/service/http/problems/problem.ts';
import { type Body, fixtureApp, fixtureIndex } from './fixture-app.ts';

const app = await fixtureApp(await fixtureIndex(), { feedback: { maxBytes: 2 ** 20, perMinute: 10 } });
const document = (await app.inject('/openapi.json')).json();
const operations = Object.entries(document.paths as Body).flatMap(([path, methods]) =>
  Object.entries(methods as Body).map(([method, operation]): [string, string, Body] => [
    path,
    method,
    operation,
  ]),
);

/** What a reader copies from a page. */
function codeOf(page: string, language: string): string {
  const [, code] = new RegExp(`aria-label="${language}"><code>([^<]*)</code>`).exec(page)!;
  return code!.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name]!);
}
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

test('every operation that changes no page and no rule answers 200 to its own example', async () => {
  let count = 0;
  for (const [path, method, { tags, operationId }] of operations) {
    const page = await app.inject(`/docs/${operationId}`);
    assert.equal(page.statusCode, 200, operationId);
    assert.ok(codeOf(page.body, 'Python').includes('urlopen(request)'));
    if (tags.includes('pages') || (tags.includes('rules') && method !== 'get')) continue;
    // The code of JavaScript itself, with a `fetch` that asks the app.
    const fetch = (address: string, options: { method?: 'GET'; headers?: Body; body?: string } = {}) => {
      const { pathname, search } = new URL(address);
      const { body: payload, ...rest } = options;
      return app.inject({ url: pathname + search, ...rest, ...(payload && { payload }) });
    };
    const [code] = codeOf(page.body, 'JavaScript').split('\nconsole');
    const answer = await new Function('fetch', `return ${code!.replace('const answer = await ', '')}`)(fetch);
    assert.equal(answer.statusCode, 200, `${method} ${path}: ${code}: ${answer.body}`);
    count++;
  }
  assert.equal(count, 34);
});

test('all shapes that the document names are in it', () => {
  for (const [, name] of JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)) {
    const [, drawer, key] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(name!) ?? [];
    assert.ok(document.components[drawer!]?.[key!], name);
  }
});

test('a page of an operation has its parameters, its body, its answer as a tree, and its problems', async () => {
  const { body } = await app.inject('/docs/similar');
  for (const text of [
    '<code>min_similarity</code>',
    'Body, as text/html',
    '<code>empty_reason</code>',
    '<dt>413</dt>',
  ])
    assert.ok(body.includes(text), text);
  assert.match(
    codeOf(body, 'curl'),
    /^curl -X POST 'http:\/\/localhost:80\/similar' \\\n {2}-H 'Content-Type: application\/json' \\\n {2}--data-binary '\{/,
  );
  assert.equal((await app.inject('/docs/nothing')).statusCode, 404);
});

test('each status has an example of its own', () => {
  const examples = document.components.examples;
  const seen = new Set<string>();
  const references = JSON.stringify(document.paths).matchAll(
    /"(\d{3})":\{"description":"[^"]*","content":\{"application\/problem\+json":\{[^}]*\},"examples":\{"problem":\{"\$ref":"#\/components\/examples\/([^"]+)"/g,
  );
  for (const [, status, name] of references) {
    const { value } = examples[name!];
    assert.equal(String(value.status), status);
    assert.deepEqual(
      [PROBLEMS[value.code as ProblemCode].status, PROBLEMS[value.code as ProblemCode].title],
      [value.status, value.title],
    );
    seen.add(status!);
  }
  assert.deepEqual(
    [...seen].toSorted(),
    '400 401 403 404 408 410 412 413 415 417 429 431 500 503 507'.split(' '),
  );
});

test('a page is laid out for a phone, may run nothing, and leads to all operations', async () => {
  const { body, headers } = await app.inject('/docs');
  assert.match(body, /<meta name="viewport" content="width=device-width, initial-scale=1">/);
  assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
  assert.doesNotMatch(body, /<script/);
  for (const [, , { operationId }] of operations) assert.ok(body.includes(`href="/docs/${operationId}"`));
});
