/**
 * Ten minutes of `akin up` beside an honest site whose pages change and servers that misbehave: one command in three is
 * killed, and the clock of all of them jumps, forth by days and back by days. What is served is whole at each look, and sweeps are
 * added to the end.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCommands } from '../../../src/cli/up/child-commands.ts';
import { UpCycle } from '../../../src/cli/up/up-cycle.ts';
import { Random } from '../../../src/lib/random.ts';
import { buildApp } from '../../../src/service/app.ts';
import type { RunFold } from '../../../src/service/live/folds.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { HOSTILE, page } from '../../crawl/hostile.ts';
import { temporaryFolder } from '../../crawl/loopback.ts';
import { GARDEN_PAGES } from '../garden.ts';

const DURATION_MS = 10 * 60_000;
const LOOK_MS = 500;
const PLAN_MS = 1500;
const EVERY_MS = 2000;
const DAY_MS = 86_400_000;
/** Addresses of loopback, a misbehaving host each. */
const HOSTILE_HOSTS = Array.from({ length: 6 }, (_, i) => `127.0.0.${i + 2}`);
/** Ways to misbehave after which nothing is tried again: 10 seconds later at the soonest. */
const QUICK =
  'says-too-little gzip-bomb binary-as-html nonsense-charset redirects-to-itself deep-tree endless-attribute odd-status many-cookies'.split(
    ' ',
  );
/** Without more URLs than a crawl of this test has time for. */
const WAYS = Object.keys(HOSTILE).filter((name) => name !== 'new-links-for-ever');
const RARELY = 60;
const HONEST_HOST = '127.0.0.1';

/** Serves on a port that is free on this address; ends with the test. */
async function listen(t: TestContext, host: string, answer: (socket: Socket, path: string) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      const path = /^GET (\S+)/.exec(data.toString('latin1'))?.[1] ?? '/';
      if (path === '/robots.txt') socket.write('HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n');
      else answer(socket, path);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://${host}:${(server.address() as { port: number }).port}/`;
}

/** Run first by each command, on each of its threads: the clock of the plan, and in some the end that it asks for. */
const FIRST = `
  import { appendFileSync, readFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  const now = Date.now;
  const { skewMs, killAfterMs } = JSON.parse(readFileSync(PLAN, 'utf8'));
  Date.now = () => now() + skewMs;
  if (isMainThread) appendFileSync(NOTES, process.argv[2] + (killAfterMs > 0 ? ' to be killed' : '') + '\\n');
  if (isMainThread && killAfterMs > 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs).unref();
`;

test('sweep after sweep is added, whoever misbehaves, is killed, or sets the clock', async (t) => {
  const random = new Random(24);
  const folder = temporaryFolder(t);
  const to = join(folder, 'up');
  mkdirSync(to, { recursive: true });
  const [plan, notes, first] = ['plan.json', 'notes', 'first.mjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(first, `const PLAN = ${JSON.stringify(plan)}, NOTES = ${JSON.stringify(notes)};${FIRST}`);
  writeFileSync(notes, '');

  let answered = 0;
  const honest = await listen(t, HONEST_HOST, (socket, path) => {
    const { title, text } = GARDEN_PAGES[Number(path.slice(1)) % GARDEN_PAGES.length]!;
    const links = GARDEN_PAGES.map((_, i) => `<a href="/${i}">page</a>`).join(' ');
    // Digits make no word: a page changes by its number of words.
    const changing = 'again and '.repeat(answered++ % 40);
    socket.write(page(`<title>${title}</title><p>${text} ${changing}</p>${links}`));
  });
  const hostile = await Promise.all(
    HOSTILE_HOSTS.map((host) =>
      listen(t, host, (socket, path) => {
        const ways = random.below(RARELY) === 0 ? WAYS : QUICK;
        HOSTILE[ways[random.below(ways.length)]!]!(socket, path);
      }),
    ),
  );

  const realNow = Date.now;
  let skewMs = 0;
  t.mock.method(Date, 'now', () => realNow() + skewMs);
  const replan = () => {
    if (random.below(40) === 0) skewMs = (random.below(21) - 10) * DAY_MS;
    const killAfterMs = random.below(5) < 2 ? 1 + random.below(2500) : 0;
    writeFileSync(plan, JSON.stringify({ skewMs, killAfterMs }));
  };
  replan();
  const planning = setInterval(replan, PLAN_MS);
  t.after(() => clearInterval(planning));

  const children = new ChildCommands({
    ...process.env,
    AKIN_MIN_DF: '1',
    AKIN_MAX_DF: '1',
    NODE_OPTIONS: `--import ${first}`,
  });
  const folding = new ChildCommands({ ...process.env, NODE_OPTIONS: `--import ${first}` });
  t.after(() => children.stop());
  t.after(() => folding.stop());
  const crawlFlags = `--allow-address 127.0.0.0/8 --delay 0 --time-limit 1 --per-host 20`.split(' ');
  const options = {
    seeds: [honest, ...hostile],
    crawlFlags,
    everyMs: EVERY_MS,
    foldShare: 0.1,
    retryMs: 200,
  };
  const cycle = new UpCycle(to, children, options);
  const said = new Map<string, number>();
  const say = (text: string) => {
    const what = text.replace(/ at .*/, '');
    said.set(what, (said.get(what) ?? 0) + 1);
  };
  assert.equal(await cycle.untilIndexed(say), true);
  const index = join(to, 'web.akin');
  const run: RunFold = async (inputs, sweep) =>
    (await folding.run(['add', ...inputs, '--to', index, '--sweep', sweep])) === 0;
  const live = {
    ...{ maxPending: 1000, maxPendingBytes: 2 ** 26, share: 0.1, waitMs: 1000, retryMs: EVERY_MS },
    ...{ run, isOpen: false, archives: () => cycle.archives() },
  };
  const app = await buildApp({ indexPath: index, maxEventLoopDelayMs: 0, live });
  t.after(() => app.close());
  let hasEnded = false;
  const keeping = cycle.keepFresh(app.pageDoor!, say).finally(() => (hasEnded = true));

  const sweepCounts: number[] = [];
  const endsAtMs = performance.now() + DURATION_MS;
  while (performance.now() < endsAtMs) {
    const reader = IndexReader.open(index);
    try {
      sweepCounts.push(reader.sweeps().length);
      assert.ok(reader.findPage(`${honest}0`) >= 0);
    } finally {
      reader.close();
    }
    assert.equal(hasEnded, false, 'it goes on');
    await sleep(LOOK_MS);
  }
  clearInterval(planning);
  children.stop();
  await keeping;

  const commands = readFileSync(notes, 'utf8').trim().split('\n');
  const killed = commands.filter((command) => command.endsWith('killed')).length;
  t.diagnostic(`${commands.length} commands, ${killed} of them to be killed; ${sweepCounts.at(-1)} sweeps`);
  t.diagnostic(JSON.stringify(Object.fromEntries(said)));
  assert.ok(killed > 3);
  assert.ok(
    sweepCounts.every((count, i) => i === 0 || count >= sweepCounts[i - 1]!),
    'no sweep is lost',
  );
  const half = sweepCounts[sweepCounts.length >> 1]!;
  assert.ok(half > sweepCounts[0]! && sweepCounts.at(-1)! > half, `${sweepCounts[0]}, ${half}, ...`);
  // With it end what SQLite has beside a journal that is open, and the records of a fold under way.
  await app.close();
  const left = readdirSync(to).filter(
    (name) =>
      !/^(crawl|web\.akin(\.work|\.lock|\.pages(\.lock|\.ready)?)?|taken-sweeps\.json|empty-sweep)$/.test(
        name,
      ),
  );
  assert.deepEqual(left, []);
  writeFileSync(plan, JSON.stringify({ skewMs: 0, killAfterMs: 0 }));
  assert.equal(await new ChildCommands(process.env).run(['check', index]), 0);
});
