/** Servers of a real crawl are killed while they take pages: each start answers what was acknowledged, byte for byte as one that reads all pages anew. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { archivedPages, type JsonlRecord, writeJsonl } from '../../../bench/corpora/jsonl.ts';
import { Random } from '../../../src/lib/random.ts';
import { canonicalUrl } from '../../../src/url/canonical-url.ts';
import { build, input } from '../../indexer/build.ts';
import { pathOf } from '../fixture-app.ts';
import { temporaryFolder } from '../fixture-index.ts';
import { lines, NDJSON } from '../routes/writable.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const CRAWL = new URL('../../../../shared/data/uci-crawl/html.tar.zst', import.meta.url);
const skip = existsSync(CRAWL) ? false : 'uci-crawl is not in ../shared/data';
const INDEXED = 600;
const GIVEN = 1500;
const BATCH = 50;

interface Server {
  readonly process: ChildProcess;
  readonly address: string;
}

async function serve(indexPath: string): Promise<Server> {
  const argv = ['serve', indexPath, '--port', '0', '--writable', '--fold-share', '1', '--no-explorer'];
  const process = fork(MAIN, [...argv, '--fold-after-ms', '86400000', '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--conditions=akin-source'],
  });
  after(() => process.kill('SIGKILL'));
  for await (const chunk of process.stdout!) {
    const address = /http:\/\/[\d.:]+/.exec(String(chunk))?.[0];
    if (address !== undefined) return { process, address };
  }
  throw new Error('the server ended before it listened');
}

async function kill({ process }: Server): Promise<void> {
  const ended = once(process, 'exit');
  process.kill('SIGKILL');
  await ended;
}

async function post({ address }: Server, records: readonly JsonlRecord[]): Promise<boolean> {
  const body = lines(records);
  const answer = await fetch(`${address}/pages`, { method: 'POST', body, headers: NDJSON }).catch(() => null);
  return answer !== null && (await answer.text().catch(() => null)) !== null;
}

/** Of pages of the index and of those that wait. */
async function answersOf({ address }: Server, urls: readonly string[]): Promise<string[]> {
  const paths = urls.flatMap((url) => [
    pathOf('/related', { url, limit: 40, explain: true, cards: true }),
    pathOf('/related', { url, by: 'copy' }),
    pathOf('/page', { url }),
  ]);
  const searches = ['research', 'machine learning', 'graph', 'students'];
  const all = [...paths, ...searches.map((q) => pathOf('/search', { q, limit: 50 })), '/changes?sweep=live'];
  const answers: string[] = [];
  for (const path of all) {
    const answer = await fetch(address + path);
    answers.push(`${path} ${answer.status} ${answer.headers.get('etag')} ${await answer.text()}`);
  }
  return answers;
}

async function corpus(): Promise<JsonlRecord[]> {
  const pages = new Map<string, JsonlRecord>();
  for await (const page of archivedPages('uci-crawl/html.tar.zst', 'uci-crawl/pages.tsv.zst')) {
    const url = canonicalUrl(page.url);
    if (url !== null && !/noindex/i.test(page.html ?? '')) pages.set(url, page);
    if (pages.size === INDEXED + GIVEN) break;
  }
  return [...pages.values()];
}

test('a server of a real crawl that was killed', { skip, timeout: 900_000 }, async (t) => {
  const all = await corpus();
  const [indexed, given] = [[], []] as [JsonlRecord[], JsonlRecord[]];
  for (const [i, page] of all.entries()) (i % 7 < 2 ? indexed : given).push(page);
  const jsonl = join(temporaryFolder({ after }), 'indexed.jsonl');
  await writeJsonl(jsonl, indexed);
  const { target } = await build(t, { inputs: [input(jsonl)], maxPageBytes: 10 << 20 });
  const urls = all.filter((_, i) => i % 23 === 0).map(({ url }) => url);
  const random = new Random(5);
  let server = await serve(target);
  let next = 0;
  for (let round = 0; round < 6; round++) {
    const until = next + GIVEN / 12;
    for (; next < until; next += BATCH) assert.ok(await post(server, given.slice(next, next + BATCH)));
    const before = await answersOf(server, urls);
    await kill(server);
    server = await serve(target);
    assert.deepEqual(await answersOf(server, urls), before, `round ${round}`);
    // While it takes others.
    const waiting = post(server, given.slice(next, next + 2 * BATCH));
    await delay(random.below(1500));
    await kill(server);
    next += (await waiting) ? 2 * BATCH : 0;
    const twin = join(temporaryFolder({ after }), 'twin.akin');
    for (const end of ['', '.pages', '.pages-wal'])
      if (existsSync(target + end)) copyFileSync(target + end, twin + end);
    const [here, anew] = await Promise.all([serve(target), serve(twin)]);
    const [found, wanted] = [await answersOf(here, urls), await answersOf(anew, urls)];
    assert.deepEqual(found, wanted, `round ${round}, killed while it takes pages`);
    await kill(anew);
    server = here;
  }
});
