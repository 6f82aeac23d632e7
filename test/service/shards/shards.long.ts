/** Shards of the manuals on some thousand questions; servers of shards that are killed, and replaced, under load. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { splitIndex } from '../../../src/indexer/shards/split-index.ts';
import { checkIndex } from '../../../src/store/check/check.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { build, input, noting } from '../../indexer/build.ts';
import { toJsonl } from '../../indexer/pages.ts';
import { startServer } from '../child-server.ts';
import { fixtureApp } from '../fixture-app.ts';
import { buildFixture, fixturePages, temporaryFolder } from '../fixture-index.ts';
import { type Answer, answerTo, assertSame, type Question, questionsAbout } from './same-answers.ts';
import { assertServedAlike } from './served-alike.ts';

const MANUALS = fileURLToPath(new URL('../../../../shared/data/manuals/demo.warc.gz', import.meta.url));
const NO_MANUALS = existsSync(MANUALS) ? false : 'the archive of manuals is not in ../shared/data';
const COUNT = 4;
const ROUNDS = 50;
const CLIENTS = 4;
const EXACT = { exactSearchUs: Number.POSITIVE_INFINITY };
const STEADY_MS = 240_000;

async function split(source: string, folder: string): Promise<string[]> {
  const options = { source, shardCount: COUNT, folder, memoryBytes: 256 << 20, workerCount: 1 };
  const { shards } = await splitIndex(options, noting().listener);
  for (const { path } of shards) assert.deepEqual(checkIndex(path).faults, []);
  return shards.map(({ path }) => path);
}

test('four shards of the manuals answer what the whole does', { skip: NO_MANUALS }, async (t) => {
  const { target } = await build(t, { inputs: [input(MANUALS)], neighborLimit: 32 });
  const paths = await split(target, join(temporaryFolder(t), 'shards'));
  const { answers, cut } = await assertServedAlike(t, target, paths, ROUNDS);
  assert.equal(cut, 0);
  t.diagnostic(`${answers} answers compared`);
});

test('a list whose filters pass over two thousand copies is made in a few rounds of reads', async (t) => {
  const words = Array.from({ length: 30 }, (_, i) => `tree${i}`).join(' ');
  const pages = Array.from({ length: 4500 }, (_, i) => {
    if (i < 2000) return { url: `http://near.example/${i}`, html: `<p>${words} yew${i}</p>` };
    if (i < 2003) return { url: `http://far-${i}.example/`, html: `<p>tree1 tree5 rowan${i} birch${i}</p>` };
    return { url: `http://other.example/${i}`, html: `<p>stone${i} clay${i}</p>` };
  });
  const path = join(temporaryFolder(t), 'trees.jsonl');
  writeFileSync(path, toJsonl(pages));
  const { target } = await build(t, { inputs: [input(path)], neighborLimit: 8 });
  const shards = await Promise.all(
    (await split(target, join(temporaryFolder(t), 'trees'))).map((one) => fixtureApp(one, EXACT)),
  );
  const urls = await Promise.all(shards.map((app) => app.listen({ port: 0, host: '127.0.0.1' })));
  const router = await fixtureApp('', { ...EXACT, indexPath: [], peers: { urls, timeLimitMs: 60_000 } });
  const url = '/related?url=http://near.example/0&max_per_site=2&exclude_copies=true&limit=3';
  const question = { method: 'GET', url } as const;
  await assertSame(await fixtureApp(target, EXACT), router, question);
  const { related } = (await answerTo(router, question)).body as { related: { url: string }[] };
  assert.deepEqual(
    related.map((page) => new URL(page.url).host.split('-')[0]),
    ['far', 'far', 'far'],
  );
});

/** Questions, and what whole indexes answer to them. */
interface Expected {
  readonly question: Question;
  readonly answers: readonly Answer[];
}

/** Clients that ask all the time, until the test says so. */
class Load {
  wholeCount = 0;
  partialCount = 0;
  refusedCount = 0;
  readonly faults: string[] = [];
  #isOver = false;
  readonly #done: Promise<unknown>;

  constructor(router: FastifyInstance, expected: readonly Expected[], lost: number | null) {
    const client = async (first: number) => {
      for (let i = first; !this.#isOver; i++) {
        const { question, answers } = expected[i % expected.length]!;
        this.#count(question, await answerTo(router, question), answers, lost);
      }
    };
    this.#done = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i * 7)));
  }

  #count({ url }: Question, found: Answer, expected: readonly Answer[], lost: number | null): void {
    const body = found.body as { code?: string };
    if (body.code === 'shard-unavailable') this.refusedCount++;
    else if (found.lost !== undefined && found.status < 500) {
      this.partialCount++;
      if (found.lost !== String(lost)) this.faults.push(`${url}: lost ${found.lost}`);
    } else if (expected.some((one) => isSame(one, found))) this.wholeCount++;
    else this.faults.push(`${url}: ${found.status} ${JSON.stringify(body).slice(0, 300)}`);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
    assert.deepEqual(this.faults.slice(0, 3), []);
  }
}

function isSame(a: Answer, b: Answer): boolean {
  return a.status === b.status && JSON.stringify(a.body) === JSON.stringify(b.body);
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + STEADY_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, `${what} within ${STEADY_MS} ms`);
    await sleep(50);
  }
}

async function expectedOf(path: string, others: readonly string[] = []): Promise<Expected[]> {
  const apps = await Promise.all([path, ...others].map((one) => fixtureApp(one, EXACT)));
  const reader = IndexReader.open(path);
  const expected: Expected[] = [];
  for (const question of questionsAbout(reader, 3, 6)) {
    // A batch says of each URL whether its shard is there.
    if (question.url.includes('batch')) continue;
    expected.push({ question, answers: await Promise.all(apps.map((app) => answerTo(app, question))) });
  }
  reader.close();
  return expected;
}

async function servers(t: TestContext, paths: readonly string[]) {
  const options = { logLevel: 'silent', pollMs: 100, maxEventLoopDelayMs: 0, ...EXACT } as const;
  const shards = await Promise.all(paths.map((path) => startServer(t, path, options)));
  const urls = shards.map(({ port }) => `http://127.0.0.1:${port}`);
  const router = await fixtureApp('', {
    ...EXACT,
    indexPath: [],
    pollMs: 100,
    peers: { urls, timeLimitMs: 60_000 },
  });
  return { shards, router, options };
}

test('one of four servers is killed under load: it is named, and all is whole when it is back', async (t) => {
  const path = join(temporaryFolder({ after }), 'test.akin');
  await buildFixture(path);
  const paths = await split(path, join(temporaryFolder({ after }), 'shards'));
  const { shards, router, options } = await servers(t, paths);
  const expected = await expectedOf(path);
  const load = new Load(router, expected, 2);
  await until(() => load.wholeCount > expected.length, 'whole answers');
  assert.deepEqual([load.partialCount, load.refusedCount], [0, 0]);
  shards[2]!.process.kill('SIGKILL');
  await until(() => load.partialCount > 100 && load.refusedCount > 10, 'partial answers');
  const wholeBefore = load.wholeCount;
  await until(() => load.wholeCount > wholeBefore + 20, 'whole answers of the other shards');
  await startServer(t, paths[2]!, { ...options, port: shards[2]!.port });
  const isWhole = async () => {
    const answers = await Promise.all(expected.map(({ question }) => answerTo(router, question)));
    return answers.every((answer, i) => isSame(answer, expected[i]!.answers[0]!));
  };
  await until(isWhole, 'all whole again');
  const { partialCount, refusedCount, wholeCount } = load;
  await until(() => load.wholeCount > wholeCount + expected.length, 'whole answers again');
  assert.deepEqual([load.partialCount, load.refusedCount], [partialCount, refusedCount]);
  await load.end();
  t.diagnostic(`${load.wholeCount} whole, ${partialCount} partial, ${refusedCount} refused`);
});

test('shards are replaced one by one under load: each answer is of the old index or of the new', async (t) => {
  const folder = temporaryFolder({ after });
  const [first, second] = [join(folder, 'first.akin'), join(folder, 'second.akin')];
  await buildFixture(first);
  await buildFixture(second, fixturePages(1));
  const paths = await split(first, join(folder, 'shards'));
  const next = await split(second, join(folder, 'next'));
  const { router } = await servers(t, paths);
  const expected = await expectedOf(first, [second]);
  const files = await fixtureApp('', { ...EXACT, indexPath: paths, pollMs: 100 });
  const load = new Load(router, expected, null);
  const loadOfFiles = new Load(files, expected, null);
  await until(() => load.wholeCount > 50 && loadOfFiles.wholeCount > 50, 'whole answers');
  const before = router.holder.current().id;
  for (const [number, path] of next.entries()) {
    copyFileSync(path, `${path}.copy`);
    renameSync(`${path}.copy`, paths[number]!);
    await sleep(300);
  }
  await until(() => router.holder.current().id !== before, 'the new index');
  const { wholeCount } = load;
  await until(() => load.wholeCount > wholeCount + expected.length, 'answers of the new index');
  await load.end();
  await loadOfFiles.end();
  assert.deepEqual([load.partialCount, load.refusedCount], [0, 0]);
  for (const { question, answers } of expected) {
    for (const app of [router, files]) {
      assert.deepEqual({ ...(await answerTo(app, question)), next: null }, { ...answers[1]!, next: null });
    }
  }
  t.diagnostic(`${load.wholeCount} answers`);
});
