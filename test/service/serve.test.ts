import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from './child-server.ts';
import { fixtureApp, fixtureIndex, pathOf } from './fixture-app.ts';
import { GARDEN, TINY } from './fixture-index.ts';

const indexPath = await fixtureIndex();

test('the log is lines of JSON: start, requests where asked for, drain and end', async (t) => {
  const server = await startServer(t, indexPath, { logRequests: true });
  const related = pathOf('/related', { url: `${GARDEN}1` });
  for (const path of [related, '/nowhere']) {
    await (
      await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'x-request-id': 'ours' } })
    ).text();
  }
  server.process.kill('SIGTERM');
  const { code, errors } = await server.ended;
  assert.equal(code, 0);
  const lines = errors
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = lines.find(({ msg }) => msg === 'started');
  assert.equal(started.address, `http://127.0.0.1:${server.port}`);
  assert.match(started.generation, /^\w{16,}$/);
  const requests = lines.filter(({ msg }) => msg === 'request');
  assert.deepEqual(
    requests.map(({ request_id, method, url, status, complete }) => [
      request_id,
      method,
      url,
      status,
      complete,
    ]),
    [
      ['ours', 'GET', related, 200, true],
      ['ours', 'GET', '/nowhere', 404, true],
    ],
  );
  assert.ok(requests.every(({ duration_ms: took }) => took > 0));
  assert.deepEqual(
    lines.slice(-2).map(({ msg }) => msg),
    ['draining', 'stopped'],
  );
});

test('counters say that they are totals, and empty answers are counted by reason', async () => {
  const app = await fixtureApp(indexPath);
  for (const url of [TINY, TINY, `${GARDEN}1`]) await app.inject(pathOf('/related', { url }));
  const metrics = (await app.inject('/metrics')).body;
  assert.match(metrics, /^akin_empty_answers_total\{reason="too_little_text"\} 2$/m);
  assert.match(metrics, /^akin_empty_answers_total\{reason="excluded"\} 0$/m);
  for (const [, name, type] of metrics.matchAll(/^# TYPE (akin_\w+) (\w+)$/gm)) {
    assert.equal(name!.endsWith('_total'), type === 'counter', name);
  }
});
