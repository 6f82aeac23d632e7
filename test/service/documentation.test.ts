/** What /docs shows can be tried as it stands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEMS, type ProblemCode } from '../../src/service/http/problems/problem.ts';
import { type Body, fixtureApp, fixtureIndex } from './fixture-app.ts';

const app = await fixtureApp(await fixtureIndex(), { feedback: { maxBytes: 2 ** 20, perMinute: 10 } });
const document = (await app.inject('/docs/json')).json();

/** As the page fills in its form. */
function exampleOf({ example, examples, schema }: Body): unknown {
  return example ?? examples?.[0] ?? schema?.example ?? schema?.examples?.[0];
}

test('every operation that changes no page answers 200 to its own example', async () => {
  let count = 0;
  for (const [path, methods] of Object.entries(document.paths as Body)) {
    for (const [method, operation] of Object.entries(methods as Body) as [string, Body][]) {
      if (operation.tags.includes('pages')) continue;
      let url = path;
      const query = new URLSearchParams();
      for (const parameter of operation.parameters ?? []) {
        const value = exampleOf(parameter);
        if (parameter.required) assert.notEqual(value, undefined, `${path} ${parameter.name}`);
        if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, String(value));
        else if (value !== undefined) query.set(parameter.name, String(value));
      }
      const body = operation.requestBody?.content['application/json'];
      const payload = body && exampleOf(body);
      const answer = await app.inject({
        method: method as 'GET',
        url: `${url}?${query}`,
        ...(payload && { payload }),
      });
      assert.equal(answer.statusCode, 200, `${method} ${url}?${query}: ${answer.body}`);
      count++;
    }
  }
  assert.equal(count, 32);
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

test('the page is laid out for a phone and may run nothing but its own scripts', async () => {
  const { body, headers } = await app.inject('/docs');
  assert.match(body, /<meta name="viewport" content="width=device-width, initial-scale=1">/);
  assert.doesNotMatch(String(headers['content-security-policy']), /script-src|unsafe-eval/);
  assert.doesNotMatch(body, /<script>/);
});
