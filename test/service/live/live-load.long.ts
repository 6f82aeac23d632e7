/**
 * Pages put and deleted at random beside 50 readers, while what waits is folded in and the server is killed five times. What was
 * answered is there, a page that is gone is in no answer, no reading fails but while no server runs, and memory stays.
 *
 * `AKIN_TEST_SECONDS=600 AKIN_TEST_WRITES=100000` for ten minutes and longer, until so many are written; the default is two.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Random } from '../../../src/lib/random.ts';
import { IndexReader } from '../../../src/store/read/reader.ts';
import { fixtureApp, pathOf } from '../fixture-app.ts';
import { buildFixture, fixturePages, temporaryFolder } from '../fixture-index.ts';
import { listed, slowList } from './slow-list.ts';

const SECONDS = Number(process.env['AKIN_TEST_SECONDS'] ?? 120);
const LEAST_WRITES = Number(process.env['AKIN_TEST_WRITES'] ?? 0);
const READERS = 50;
const WRITERS = 4;
/** Of a writer that sends lines; every other one sends a page at a time. */
const LINES = 16;
const READ_EVERY_MS = 100;
const KILLS = 5;
const PAGES = 400;
const PORT = 20_000 + (process.pid % 20_000);
const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const indexPath = join(temporaryFolder({ after }), 'live.akin');
const at = (path: string) => `http://127.0.0.1:${PORT}${path}`;
const pageUrl = (i: number) => `https://live.example/page/${i}`;
const numberOf = (url: string) => Number(/^https:\/\/live\.example\/page\/(\d+)$/.exec(url)?.[1] ?? -1);

interface Page {
  /** What it may be: a number of its text, or null for gone; several while a write is under way, or was not answered. */
  allowed: (number | null)[];
  /** Since when. */
  sinceMs: number;
}

const pages: Page[] = Array.from({ length: PAGES }, () => ({ allowed: [null], sinceMs: 0 }));
/** When the server was down; the last one may have no end. */
const downs: { startMs: number; endMs: number }[] = [];
/** Sent away: on a machine that others use, too, the event loop may stand for a second, and any server says `overloaded` then. */
const counts = { writes: 0, reads: 0, judged: 0, sentAway: 0 };
const faults: string[] = [];
let isOver = false;
let lastNumber = 0;

const wasDown = (fromMs: number) => downs.some(({ endMs }) => endMs >= fromMs);

let server: ChildProcess;
after(() => server.kill('SIGKILL'));

async function start(): Promise<void> {
  const options = ['--writable', '--port', String(PORT), '--fold-share', '1', '--no-explorer'];
  server = fork(MAIN, ['serve', indexPath, ...options, '--fold-after-ms', String(SECONDS * 100)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--conditions=akin-source'],
  });
  for (;;) {
    const isReady = await fetch(at('/readyz')).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    assert.equal(server.exitCode, null, 'the server ended by itself');
    await delay(50);
  }
}

function textOf(random: Random, number: number): string {
  const originals = fixturePages();
  const half = () => originals[random.below(44)]!.html.replace(/<[^>]*>/g, ' ').slice(0, 300);
  return `${half()} ${half()} number ${number}`;
}

interface Said {
  readonly status: number;
  readonly text: string;
}

/** What failed while a server ran. */
function noteFault(what: string, said: Said | null, fromMs: number): void {
  if (wasDown(fromMs)) return;
  if (said?.status === 503 && said.text.includes('"overloaded"')) counts.sentAway++;
  else faults.push(`${what}: ${said?.status} ${said?.text}`);
}

interface Write {
  readonly page: Page;
  readonly url: string;
  readonly before: readonly (number | null)[];
  /** Null for a page that is gone. */
  readonly number: number | null;
}

/** Each writer has pages of its own; some it writes at once. */
async function write(writer: number, random: Random): Promise<void> {
  const inLines = writer % 2 === 1;
  while (!isOver) {
    const chosen = new Set<number>();
    while (chosen.size < (inLines ? LINES : 1)) chosen.add(WRITERS * random.below(PAGES / WRITERS) + writer);
    const writes = [...chosen].map((i): Write => {
      const page = pages[i]!;
      const before = page.allowed;
      const number = random.below(3) === 0 ? null : ++lastNumber;
      Object.assign(page, { allowed: [...before, number], sinceMs: Number.POSITIVE_INFINITY });
      return { page, url: pageUrl(i), before, number };
    });
    const fromMs = performance.now();
    const answer = await (inLines ? sendLines(writes, random) : sendPage(writes[0]!, random)).catch(
      () => null,
    );
    const said =
      answer === null ? null : { status: answer.status, text: await answer.text().catch(() => '') };
    if (said !== null && isKept(said)) {
      for (const { page, number } of writes) page.allowed = [number];
      counts.writes += writes.length;
    } else {
      noteFault('write', said, fromMs);
    }
    for (const { page } of writes) page.sinceMs = performance.now();
    if (said === null) await delay(100);
  }
}

const recordOf = ({ number }: Write, random: Random) => {
  return { title: `state ${number}`, text: textOf(random, number!) };
};

function sendPage(write: Write, random: Random): Promise<Response> {
  const url = at(pathOf('/pages', { url: write.url }));
  if (write.number === null) return fetch(url, { method: 'DELETE' });
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'PUT', body: JSON.stringify(recordOf(write, random)), headers });
}

function sendLines(writes: readonly Write[], random: Random): Promise<Response> {
  const lines = writes.map((one) => ({
    url: one.url,
    ...(one.number === null ? { status: 410 } : recordOf(one, random)),
  }));
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  return fetch(at('/pages'), { method: 'POST', body, headers: { 'content-type': 'application/x-ndjson' } });
}

/** A page that is to go may not be there; of lines, all may be such. */
function isKept({ status, text }: Said): boolean {
  if (status === 200 || status === 201 || status === 404) return true;
  const { errors } = JSON.parse(text) as { errors?: { code?: string; detail: string }[] };
  if (status !== 207 && status !== 400) return false;
  return errors?.every(({ detail }) => detail === 'there is no such page') === true;
}

/** Judges a page that an answer names, where no write of it was under way since the question began. */
function judge(
  path: string,
  { url, title }: { readonly url: string; readonly title: string },
  fromMs: number,
): void {
  const page = pages[numberOf(url)];
  if (page === undefined || page.sinceMs > fromMs) return;
  counts.judged++;
  if (page.allowed.some((number) => number !== null && title === `state ${number}`)) return;
  faults.push(`${path} lists ${url} as "${title}", it is ${page.allowed}`);
}

/** One of five asks searches alone: more of them than wait for a thread at a time would be sent away. */
async function read(random: Random, isSearching: boolean): Promise<void> {
  while (!isOver) {
    const i = random.below(PAGES);
    const url = pageUrl(i);
    const { allowed } = pages[i]!;
    const path = isSearching
      ? pathOf('/search', { q: 'number' })
      : pathOf(random.below(2) === 0 ? '/related' : '/page', { url });
    const fromMs = performance.now();
    const said = await fetch(at(path)).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => null,
    );
    if (said === null || said.status >= 500) {
      noteFault(path, said, fromMs);
    } else {
      counts.reads++;
      const body = JSON.parse(said.text);
      for (const one of body.related ?? body.results ?? []) judge(path, one, fromMs);
      // Of a page that is gone the index goes on to know what it was.
      if (!isSearching && pages[i]!.sinceMs <= fromMs && !allowed.includes(null) && said.status !== 200)
        faults.push(`${path}: ${said.status}, it is ${allowed}`);
    }
    await delay((READ_EVERY_MS * (50 + random.below(100))) / 100);
  }
}

async function kill(): Promise<void> {
  const down = { startMs: performance.now(), endMs: Number.POSITIVE_INFINITY };
  downs.push(down);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

function memoryMiB({ pid }: ChildProcess): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test(`puts and deletes beside ${READERS} readers`, { timeout: 3000 * SECONDS + 300_000 }, async (t) => {
  await buildFixture(indexPath);
  await start();
  const all = Promise.all([
    ...Array.from({ length: WRITERS }, (_, i) => write(i, new Random(100 + i))),
    ...Array.from({ length: READERS }, (_, i) => read(new Random(200 + i), i % 5 === 0)),
  ]);
  for (let k = 0; k < KILLS; k++) {
    await delay((1000 * SECONDS) / 2 / KILLS);
    await kill();
    await start();
    downs.at(-1)!.endMs = performance.now();
  }
  const used: number[] = [];
  for (
    let second = 0;
    second < SECONDS / 2 || (counts.writes < LEAST_WRITES && second < 2 * SECONDS);
    second += 2
  ) {
    await delay(2000);
    used.push(memoryMiB(server));
    if (second % 30 === 0) t.diagnostic(`${counts.writes} writes, ${used.at(-1)!.toFixed(0)} MiB`);
  }
  isOver = true;
  await all;
  assert.deepEqual(faults.slice(0, 5), [], `${faults.length} faults`);
  await kill();

  const reader = IndexReader.open(indexPath);
  const folds = reader.sweeps().filter(({ name }) => name.startsWith('live-')).length;
  reader.close();
  const third = Math.floor(used.length / 3);
  const [middle, last] = [mean(used.slice(third, 2 * third)), mean(used.slice(2 * third))];
  t.diagnostic(
    `${counts.writes} writes, ${counts.reads} reads, ${counts.judged} listed pages judged, ${counts.sentAway} sent away, ${folds} folds, ${middle.toFixed(0)} and ${last.toFixed(0)} MiB`,
  );
  assert.ok(folds >= 3, `${folds} folds`);
  assert.ok(last < 1.2 * middle + 16, `memory: ${used.map(Math.round)}`);

  await start();
  for (const [i, { allowed }] of pages.entries()) {
    const [page, moved] = await Promise.all(
      ['/page', '/moved'].map(async (path) => {
        const ask = () => fetch(at(pathOf(path, { url: pageUrl(i) })));
        let answer = await ask();
        for (; answer.status === 503; answer = await ask()) await delay(100);
        return answer.ok ? ((await answer.json()) as { title?: string; gone?: boolean }) : null;
      }),
    );
    const isGone = page === null || moved?.gone === true;
    const isRight = allowed.some((number) =>
      number === null ? isGone : !isGone && page?.title === `state ${number}`,
    );
    assert.ok(isRight, `page ${i}: ${page?.title}, ${isGone ? 'gone' : 'there'}; it is ${allowed}`);
  }
  await kill();
  await requireNearest();
  assert.ok(counts.writes >= LEAST_WRITES, `${counts.writes} writes`);
});

/** Each list has the nearest pages, also behind folds. */
async function requireNearest(): Promise<void> {
  const live = {
    maxPending: 2 * PAGES,
    maxPendingBytes: 2 ** 28,
    share: 2,
    waitMs: 1e9,
    run: async () => false,
  };
  const app = await fixtureApp(indexPath, { live });
  const { value } = await app.holder.current().answer(async (reads) => {
    const wrong: number[] = [];
    for (let page = 0; page < reads.facts.pageCount; page++) {
      if (await reads.isGone(page)) continue;
      const own = await listed(reads, page);
      if (own.sort().join() !== (await slowList(reads, page)).sort().join()) wrong.push(page);
    }
    return wrong;
  });
  assert.deepEqual(value, []);
}
