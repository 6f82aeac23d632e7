import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '../../src/service/serve.ts';
import { longTest } from '../long-test.ts';
import { temporaryFolder } from './build.ts';
import { startAdd } from './child.ts';
import { type TestPage, toJsonl } from './pages.ts';
import {
  addSweeps,
  buildSweeps,
  firstSweep,
  GONE_URL,
  MOVED_URL,
  NEW_URL,
  secondSweep,
  thirdSweep,
} from './sweeps.ts';

async function serveFirst(t: TestContext) {
  const { target } = await buildSweeps(t, [firstSweep()]);
  const server = await serve({
    indexPath: target,
    host: '127.0.0.1',
    port: 0,
    logLevel: 'silent',
    pollMs: 20,
    // A busy machine would have any request refused.
    maxEventLoopDelayMs: 0,
  });
  t.after(() => server.close());
  const ask = (path: string) => fetch(`${server.address}${path}`);
  return { target, server, ask };
}

function addInChild(t: TestContext, target: string, pages: readonly TestPage[]) {
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(pages));
  return startAdd(target, path);
}

longTest(
  'a server answers every request while a sweep is added, and then answers from the new state',
  async (t) => {
    const { target, server, ask } = await serveFirst(t);
    const known = encodeURIComponent(firstSweep()[3]!.url);
    assert.equal((await ask(`/related?url=${encodeURIComponent(NEW_URL)}`)).status, 404);
    const child = addInChild(t, target, secondSweep());
    const generations = new Set<string>();
    let isAdded = false;
    void child.ended.then(() => {
      isAdded = true;
    });
    let requestCount = 0;
    for (const until = Date.now() + 60_000; generations.size < 2 && Date.now() < until; requestCount++) {
      const reply = await ask(`/related?url=${known}`);
      assert.equal(reply.status, 200);
      const { related, generation } = (await reply.json()) as { related: unknown[]; generation: string };
      assert.ok(related.length > 0);
      generations.add(generation);
    }
    assert.match(await child.ended, /^generation /m);
    assert.ok(isAdded);
    assert.equal(generations.size, 2);
    assert.ok(generations.has(server.generation));
    assert.ok(requestCount > 20, `${requestCount} requests`);
    assert.equal((await ask(`/related?url=${encodeURIComponent(NEW_URL)}`)).status, 200);
  },
);

test('a page that leads elsewhere since a sweep is known by its history and found where it went', async (t) => {
  const { target, ask } = await serveFirst(t);
  renameSync((await addSweeps(t, [firstSweep(), thirdSweep()])).target, target);
  const answerOf = async (path: string, url: string) => {
    const reply = await ask(`${path}?url=${encodeURIComponent(url)}`);
    return (await reply.json()) as {
      gone: boolean;
      captures: unknown[];
      candidates: { url: string; evidence: string[] }[];
    };
  };
  for (let tries = 0; tries < 500 && !(await answerOf('/moved', MOVED_URL)).gone; tries++) await sleep(10);
  const [best] = (await answerOf('/moved', MOVED_URL)).candidates;
  assert.equal(best!.url, 'https://village0.example/moved.html');
  assert.deepEqual(best!.evidence.slice(0, 2), ['redirect', 'same_text']);
  assert.equal((await answerOf('/moved', GONE_URL)).gone, true);
  assert.equal((await answerOf('/history', GONE_URL)).captures.length, 1);

  const moved = 'https://village0.example/moved.html';
  for (const path of ['/related', '/cluster', '/related?by=copy']) {
    const own = await ask(`${path}${path.includes('?') ? '&' : '?'}url=${encodeURIComponent(moved)}`);
    const followed = await ask(
      `${path}${path.includes('?') ? '&' : '?'}url=${encodeURIComponent(MOVED_URL)}`,
    );
    const answer = (await followed.json()) as { url: string; related?: unknown[] };
    assert.equal(answer.url, moved);
    assert.ok(path !== '/related' || answer.related!.length > 0);
    assert.deepEqual({ ...answer, next: null }, { ...((await own.json()) as object), next: null });
  }
  const subject = encodeURIComponent(best!.url.replace('moved', 'p2'));
  const urlsNear = async (narrowing: string) => {
    const { related } = (await (await ask(`/related?limit=100&url=${subject}${narrowing}`)).json()) as {
      related: { url: string }[];
    };
    return related.map(({ url }) => url);
  };
  assert.ok((await urlsNear('')).includes(best!.url));
  assert.ok(!(await urlsNear(`&exclude=${encodeURIComponent(MOVED_URL)}`)).includes(best!.url));
});
