/** Crawls in a process of its own that is killed again and again, beside one that is not. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/lib/random.ts';
import { archivedUrls, links, logOf, temporaryFolder } from './loopback.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const HOSTS = 4;
const SLOTS = 8;

/** Serves `pageCount` pages of each of four hosts; `onHit` is called before each answer. */
export async function serveSites(
  t: TestContext,
  pageCount: number,
  onHit: (url: string) => void,
): Promise<string[]> {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host}${request.url}`;
    onHit(url);
    const n = Number(request.url!.slice(1));
    response.setHeader('content-type', 'text/html');
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/moved') return response.writeHead(302, { location: '/1' }).end();
    const others = hosts.map((host, i) => `http://${host}/${(n * 7 + i) % pageCount}`);
    const body = `<title>${url}</title>${links(...others, `/${(n + 1) % pageCount}`, `/${(n * 2) % pageCount}`, '/moved')}`;
    return setTimeout(() => response.end(body), 3);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hosts = Array.from({ length: HOSTS }, (_, i) => `127.0.0.${i + 1}:${port}`);
  const more = hosts.slice(1).map((host) => {
    const other = createServer((request, response) => server.emit('request', request, response));
    other.listen(port, host.split(':')[0]);
    return other;
  });
  t.after(() => {
    for (const one of [server, ...more]) {
      one.closeAllConnections();
      one.close();
    }
  });
  return hosts.flatMap((host) => [
    ...Array.from({ length: pageCount }, (_, n) => `http://${host}/${n}`),
    `http://${host}/moved`,
  ]);
}

/**
 * Starts crawls of a folder, each in a process of its own; `kill` sends the one that runs a signal.
 *
 * @param limit asked for each run: a shell command that goes before it.
 */
export function starter(folder: string, limit: () => string = () => 'true') {
  let child: ChildProcess | null = null;
  const kill = (signal: NodeJS.Signals) => child?.kill(signal);
  const run = async (...words: string[]) => {
    const flags = [
      '--to',
      folder,
      '--allow-address',
      '127.0.0.0/8',
      '--delay',
      '0',
      '--slots',
      String(SLOTS),
    ];
    const args = [MAIN, 'crawl', ...words, ...flags, '--scope', 'any'];
    child = spawn('bash', ['-c', `${limit()}; exec "$0" "$@"`, process.execPath, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr!.on('data', (chunk) => (text += String(chunk)));
    const [code, signal] = await once(child, 'exit');
    return { code, signal, text };
  };
  return { run, kill };
}

/** Asks a crawl to stop in its midst, and lets it go on. */
export async function stopAndResume(t: TestContext, signal: NodeJS.Signals, exitCode: number): Promise<void> {
  let left = 40;
  let stop = () => {};
  const hits = new Map<string, number>();
  const expected = await serveSites(t, 40, (url) => {
    hits.set(url, (hits.get(url) ?? 0) + 1);
    if (--left === 0) stop();
  });
  const folder = join(temporaryFolder(t), 'crawl');
  const { run, kill } = starter(folder);
  stop = () => kill(signal);
  const { code, text } = await run(expected[0]!);
  assert.equal(code, exitCode, text);
  assert.match(text, /finishing what is being fetched[\s\S]*hint: akin crawl --resume --to \S+ goes on/);
  const resumed = await run('--resume');
  assert.equal(resumed.code, 0, resumed.text);
  assert.deepEqual(await archivedUrls(folder), expected.toSorted(), 'every page once');
  assert.ok(
    expected.every((url) => hits.get(url) === 1),
    'nothing is fetched twice',
  );
}

/** Kills the crawl `killCount` times, each time after some more requests, and lets it end. */
export async function killAndResume(
  t: TestContext,
  killCount: number,
  pageCount: number,
  seed: number,
): Promise<void> {
  const random = new Random(seed);
  const hits = new Map<string, number>();
  let left = Infinity;
  const folder = join(temporaryFolder(t), 'crawl');
  const { run, kill } = starter(folder);
  const expected = await serveSites(t, pageCount, (url) => {
    hits.set(url, (hits.get(url) ?? 0) + 1);
    if (--left === 0) kill('SIGKILL');
  });
  let killed = 0;
  let isBegun = false;
  for (; killed < killCount; killed++) {
    left = 1 + (random.nextUint32() % Math.ceil((1.5 * expected.length) / killCount));
    const { signal, code, text } = await run(isBegun ? '--resume' : expected[0]!);
    if (signal === null) {
      assert.equal(code, 0, text);
      break;
    }
    isBegun = true;
  }
  left = Infinity;
  const { code, text } = await run('--resume');
  assert.equal(code, 0, text);

  assert.ok(killed >= killCount / 2, `killed ${killed} times`);
  assert.deepEqual(await archivedUrls(folder), expected.toSorted(), 'every page once');
  const logged = logOf(folder).flatMap(({ url, kind }) => (kind === undefined ? [String(url)] : []));
  assert.deepEqual(logged.toSorted(), expected.toSorted(), 'every page once in the log');
  const repeats = expected.reduce((sum, url) => sum + hits.get(url)! - 1, 0);
  // In flight, and what ended within the tenth of a second before: a host answers in 3 ms and more.
  const mostPerKill = SLOTS + HOSTS * (100 / 3);
  assert.ok(repeats <= killed * mostPerKill, `${repeats} fetched again after ${killed} kills`);
}
