import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChildCommands } from '../../../src/cli/up/child-commands.ts';
import { UpCycle } from '../../../src/cli/up/up-cycle.ts';
import { CrawlFolder } from '../../../src/crawl/folder/crawl-folder.ts';
import type { PageDoor } from '../../../src/service/app.ts';
import { SETTINGS } from '../../crawl/loopback.ts';
import { buildPages, temporaryFolder } from '../../indexer/build.ts';
import { firstSweep } from '../../indexer/sweeps.ts';

/** Real commands, in processes that run these lines of JavaScript first; `file` is one that the lines may know as FILE. */
function commandsBehind(t: TestContext, lines: string): { children: ChildCommands; file: string } {
  const folder = temporaryFolder(t);
  const file = join(folder, 'noted');
  const first = join(folder, 'first.mjs');
  const imports = "import { appendFileSync, readFileSync } from 'node:fs';";
  writeFileSync(first, `${imports}\nconst FILE = ${JSON.stringify(file)};\n${lines}`);
  const { NODE_OPTIONS: options = '' } = process.env;
  const children = new ChildCommands({ ...process.env, NODE_OPTIONS: `${options} --import ${first}` });
  t.after(() => children.stop());
  return { children, file };
}

/** A server that takes nothing. */
const CLOSED: PageDoor = {
  handOver: () => assert.fail('nothing is to be handed over'),
  sequence: 0,
  isFolding: false,
};

/** A folder whose first sweep was crawled, and found so many pages. */
function crawledFolder(t: TestContext, endedAtMs: number, pageCount = 1): string {
  const folder = temporaryFolder(t);
  mkdirSync(folder, { recursive: true });
  const crawl = CrawlFolder.open(join(folder, 'crawl'), SETTINGS, () => 0);
  Object.assign(crawl.state, { ending: 'complete', endedAtMs });
  crawl.state.counts.pages = pageCount;
  crawl.commit();
  crawl.close();
  return folder;
}

const NOTE = "appendFileSync(FILE, JSON.stringify(process.argv.slice(2)) + '\\n');";

/** What `up` does next where a sweep was crawled that the index has. */
async function nextCommand(
  t: TestContext,
  endedAtMs = 0,
  seeds: readonly string[] = [],
): Promise<readonly string[]> {
  const folder = crawledFolder(t, endedAtMs);
  const { target } = await buildPages(t, firstSweep(), { sweepName: 'sweep-1' });
  copyFileSync(target, join(folder, 'web.akin'));
  const { children, file } = commandsBehind(t, `${NOTE} process.exit(0);`);
  const cycle = new UpCycle(folder, children, { seeds, crawlFlags: [], everyMs: 1, foldShare: 0.1 });
  assert.equal(await cycle.untilIndexed(assert.fail), true);
  const fresh = cycle.keepFresh(CLOSED, (text) =>
    assert.match(text, /^the next crawl is due at \d{4}-.* UTC$/),
  );
  const noted = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const { state, sweep, nextAtMs } = cycle.upkeep();
  assert.ok(state !== 'waiting' || nextAtMs === endedAtMs + 1, `${state} until ${nextAtMs}`);
  assert.equal(sweep, 1);
  while (!noted().includes('\n')) await sleep(5);
  children.stop();
  await fresh;
  return JSON.parse(noted().split('\n')[0]!);
}

test('a sweep that the index has is not taken again, also where the process died behind its command', async (t) => {
  const seeds = ['http://a.example/', 'http://new.example/'];
  const [command, flag, _index, ...more] = await nextCommand(t, 0, seeds);
  assert.deepEqual([command, flag], ['crawl', '--recrawl']);
  assert.deepEqual(more.slice(0, 2), seeds, 'a seed may be new, or could not be had before');
});

test('a clock that went back puts the next sweep off by one interval', async (t) => {
  const inAYear = Date.now() + 365 * 86_400_000;
  assert.deepEqual((await nextCommand(t, inAYear)).slice(0, 2), ['crawl', '--recrawl']);
});

test('a crawl folder that cannot be read for a while ends nothing, and is tried again', async (t) => {
  const folder = crawledFolder(t, 0);
  const { target } = await buildPages(t, firstSweep(), { sweepName: 'sweep-1' });
  copyFileSync(target, join(folder, 'web.akin'));
  const { children, file } = commandsBehind(t, `${NOTE} process.exit(0);`);
  const options = { seeds: [], crawlFlags: [], everyMs: 1, foldShare: 0.1, retryMs: 1 };
  const cycle = new UpCycle(folder, children, options);
  const frontier = join(folder, 'crawl', 'frontier.db');
  const whole = readFileSync(frontier);
  writeFileSync(frontier, 'x'.repeat(whole.length));
  const said: string[] = [];
  const fresh = cycle.keepFresh(CLOSED, (text) => said.push(text));
  while (said.length < 2) await sleep(5);
  assert.match(
    said[1]!,
    /frontier\.db cannot be read: .*; the index stays as it is, and it is tried again at \d{4}-.* UTC$/,
  );
  writeFileSync(frontier, whole);
  while (!existsSync(file)) await sleep(5);
  children.stop();
  await fresh;
  assert.match(readFileSync(file, 'utf8'), /^\["crawl","--recrawl"/);
});

test('pages that a crawl keeps whole are no larger than those that the index takes', async (t) => {
  const folder = crawledFolder(t, 0);
  const { children, file } = commandsBehind(t, `${NOTE} process.exit(2);`);
  const indexFlags = ['--max-page', '20M'];
  const cycle = new UpCycle(folder, children, {
    seeds: [],
    crawlFlags: [],
    indexFlags,
    everyMs: 0,
    foldShare: 0.1,
  });
  await assert.rejects(cycle.untilIndexed(assert.fail), { code: 'AKIN_ERR_CONFIG' });
  const [command, ...more] = JSON.parse(readFileSync(file, 'utf8')) as string[];
  assert.deepEqual([command, more.slice(-2)], ['index', indexFlags]);
});

test('a first crawl that found no page is gone on with, by the seeds and settings of the next call', async (t) => {
  const folder = crawledFolder(t, 0, 0);
  const { children, file } = commandsBehind(t, `${NOTE} process.exit(2);`);
  const seeds = ['http://a.example/'];
  const crawlFlags = ['--allow-address', '10.0.0.0/8'];
  const cycle = new UpCycle(folder, children, { seeds, crawlFlags, everyMs: 0, foldShare: 0.1 });
  await assert.rejects(cycle.untilIndexed(assert.fail), { code: 'AKIN_ERR_CONFIG' });
  const command = JSON.parse(readFileSync(file, 'utf8')) as string[];
  assert.deepEqual(command, ['crawl', '--resume', ...seeds, '--to', join(folder, 'crawl'), ...crawlFlags]);
});

test('a first crawl that something ends from outside is tried again, one that fails ends with its cause', async (t) => {
  // The first two processes are killed; the third is a crawl that does not know the flag.
  const kill =
    "appendFileSync(FILE, '.'); if (readFileSync(FILE).length < 3) process.kill(process.pid, 'SIGKILL');";
  const { children } = commandsBehind(t, kill);
  const options = {
    seeds: ['http://a.example/'],
    crawlFlags: ['--no-such-flag'],
    everyMs: 1,
    foldShare: 0.1,
    retryMs: 1,
  };
  const said: string[] = [];
  const cycle = new UpCycle(temporaryFolder(t), children, options);
  await assert.rejects(
    cycle.untilIndexed((text) => said.push(text)),
    { code: 'AKIN_ERR_CONFIG' },
  );
  assert.equal(said.length, 2);
  for (const text of said) assert.match(text, /^crawl failed for now, and is tried again at \d{4}-.* UTC$/);
});

test('what failed is tried again soon, then later, and never later than the schedule asks', async (t) => {
  const DAY_MS = 86_400_000;
  assert.deepEqual(await retryWaits(t, DAY_MS, 4), [1, 2, 4, 8]);
  assert.deepEqual(await retryWaits(t, 3, 4), [1, 2, 3, 3]);
  assert.deepEqual(await retryWaits(t, 30 * DAY_MS, 1, DAY_MS), [DAY_MS / 24], 'an hour at the longest');
});

/** How long `up` waits behind each of the first crawls that fail, in milliseconds, as it tells the server. */
async function retryWaits(t: TestContext, everyMs: number, count: number, retryMs = 1): Promise<number[]> {
  const nowMs = Date.UTC(2026, 0, 1, 3);
  const clock = t.mock.method(Date, 'now', () => nowMs);
  const folder = crawledFolder(t, 0);
  const { target } = await buildPages(t, firstSweep(), { sweepName: 'sweep-1' });
  copyFileSync(target, join(folder, 'web.akin'));
  const { children } = commandsBehind(t, 'process.exit(2);');
  const cycle = new UpCycle(folder, children, {
    seeds: [],
    crawlFlags: [],
    everyMs,
    foldShare: 0.1,
    retryMs,
  });
  const waits: number[] = [];
  await cycle.keepFresh(CLOSED, (text) => {
    const { state, nextAtMs } = cycle.upkeep();
    assert.equal(state, 'waiting');
    const at = new Date(nextAtMs!).toISOString().slice(0, 16).replace('T', ' ');
    assert.equal(text, `crawl failed; the index stays as it is, and it is tried again at ${at} UTC`);
    if (waits.push(nextAtMs! - nowMs) === count) children.stop();
  });
  clock.mock.restore();
  return waits;
}
