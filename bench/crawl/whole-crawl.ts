/** A crawl of the whole of uci-web.ts, counted against what can be reached. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { archivedUrls, crawlTo } from '../../test/crawl/loopback.ts';
import { round, type Table } from '../bench.ts';
import { withFolder } from '../corpora/data.ts';
import { reachable } from './reachable.ts';
import { HUB, uciWeb } from './uci-web.ts';

const SEEDS = ['https://www.ics.uci.edu/', 'https://cs.uci.edu/', 'https://developer.mozilla.org/', HUB];
const SITES = ['uci.edu', 'mozilla.org'];
const SERVER = fileURLToPath(new URL('uci-server.ts', import.meta.url));

export async function wholeCrawl(): Promise<Table> {
  const server = fork(SERVER, { execArgv: ['--max-old-space-size=4096'] });
  try {
    const [port] = (await once(server, 'message')) as [number];
    return await withFolder(async (folder) => {
      const startedMs = performance.now();
      const { state } = await crawlTo({
        folder,
        resolve: async () => [{ address: '127.0.0.1', family: 4, port }],
        seeds: SEEDS,
        settings: { slots: 32, requireTrust: false, maxPageBytes: 10 * 2 ** 20, maxDepth: 1_000_000 },
      });
      const seconds = (performance.now() - startedMs) / 1000;
      server.send('hits');
      const [hits] = (await once(server, 'message')) as [[string, number][]];
      const { found, missing } = reachable(await uciWeb(), SEEDS, SITES);
      const expected = [...found, ...missing].sort();
      const archived = await archivedUrls(folder);
      const difference = compare(archived, expected);
      process.stderr.write(`${JSON.stringify(state.counts)}\n`);
      assert.equal(state.ending, 'complete');
      const { lacking, extra } = difference;
      const examples = `for example ${[...lacking.slice(0, 3), ...extra.slice(0, 3)].join(' ')}`;
      assert.deepEqual([lacking.length, extra.length], [0, 0], examples);
      assert.equal(new Set(archived).size, archived.length, 'every page once');
      const repeated = hits.filter(([, count]) => count > 1).length;
      const rows: (string | number)[][] = [
        ['pages and redirects that can be reached', found.size],
        ['of them archived', archived.filter((url) => found.has(url)).length],
        ['links to pages that are not there', missing.size],
        ['of them archived as such', archived.filter((url) => missing.has(url)).length],
        ['URLs asked for more than once', repeated],
        ['URLs refused by the rules for traps', sumOf(state.counts.skipped, 'trap_')],
        ['URLs refused by robots.txt', state.counts.skipped.robots ?? 0],
        ['content that the host had already', state.counts.revisits],
        ['seconds, wall', round(seconds, 0)],
      ];
      return {
        caption: 'A crawl of 89 hosts, counted against what can be reached',
        columns: ['what', 'count'],
        rows,
      };
    });
  } finally {
    server.kill();
  }
}

function compare(
  archived: readonly string[],
  expected: readonly string[],
): { lacking: string[]; extra: string[] } {
  const [have, want] = [new Set(archived), new Set(expected)];
  return {
    lacking: expected.filter((url) => !have.has(url)),
    extra: archived.filter((url) => !want.has(url)),
  };
}

function sumOf(counts: Readonly<Record<string, number>>, prefix: string): number {
  return Object.entries(counts).reduce(
    (sum, [name, count]) => sum + (name.startsWith(prefix) ? count : 0),
    0,
  );
}
