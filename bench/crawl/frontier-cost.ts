/** What a URL costs the frontier, from ten thousand known ones to ten million. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Frontier } from '../../src/crawl/frontier/frontier.ts';
import { Random } from '../../src/lib/random.ts';
import { FrontierStore } from '../../src/store/frontier/frontier-store.ts';
import { type Cell, round, type Table } from '../bench.ts';
import { withFolder } from '../corpora/data.ts';

const HOSTS = 2000;
/** Of a page: links to known and to new pages of its host, and one to a new page of another host. */
const KNOWN_LINKS = 14;
const NEW_LINKS = 5;
const MARKS = [10_000, 100_000, 1_000_000, 10_000_000];

/** The table, and the cost at the last mark over the least. */
export async function frontierCost(): Promise<{ table: Table; growth: number }> {
  const rows: Cell[][] = [];
  const costs: number[] = [];
  await withFolder(async (folder) => {
    const path = join(folder, 'frontier.db');
    const store = FrontierStore.open(path);
    const random = new Random(1);
    const draw = () => random.nextUint32() / 2 ** 32;
    const frontier = new Frontier(store, 16, draw, 0);
    const pageCounts = new Uint32Array(HOSTS);
    let known = 0;
    const meet = (host: number, page: number) => {
      const url = `http://host${host}.example/section/${page % 100}/page-${page}.html`;
      const hostId = frontier.meet(url);
      if (hostId === null) return;
      frontier.add(hostId, { url, kind: 'page', priority: 1 + (page % 3), depth: 3, redirects: 0 });
      known++;
    };
    const meetNew = (host: number) => meet(host, pageCounts[host]!++);
    for (let host = 0; host < HOSTS; host++) meetNew(host);
    for (const mark of MARKS) {
      let before = process.cpuUsage();
      let met = 0;
      for (let turn = 1; known < mark; turn++) {
        const queue = frontier.next(Infinity)!;
        const item = queue.urls.shift()!;
        const host = Number(/\d+/.exec(queue.host)![0]);
        for (let i = 0; i < KNOWN_LINKS; i++) meet(host, Math.floor(draw() * pageCounts[host]!));
        for (let i = 0; i < NEW_LINKS; i++) meetNew(host);
        meetNew(Math.floor(draw() * HOSTS));
        store.remove(queue.hostId, item);
        frontier.handBack(queue);
        met += KNOWN_LINKS + NEW_LINKS + 1;
        if (turn % 100 === 0) store.commit({});
        // The cost at a size is that of its last fifth.
        if (known < 0.8 * mark) [before, met] = [process.cpuUsage(), 0];
      }
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / met);
      const mib = process.memoryUsage().rss / 2 ** 20;
      rows.push([mark, round(costs.at(-1)!, 1), round(statSync(path).size / mark, 0), round(mib, 0)]);
      process.stderr.write(`${mark} URLs: ${round(costs.at(-1)!, 1)} microseconds\n`);
    }
    store.close();
  });
  return {
    table: {
      caption: `The frontier: ${HOSTS} hosts, a page leads to ${KNOWN_LINKS} known URLs and ${NEW_LINKS + 1} new ones`,
      columns: ['known URLs', 'microseconds a URL met', 'bytes a URL on disk', 'memory, MiB'],
      rows,
    },
    growth: round(costs.at(-1)! / Math.min(...costs), 2),
  };
}
