/**
 * Measured   the crawler: what it finds of a web of 89 hosts against what can be reached; pages a second beside undici
 *            alone, Scrapy and Crawlee, and where its time goes; what a URL costs the frontier; near-duplicates by each
 *            copy profile; writing archives.
 * Corpus     pages of a university crawl under their own URLs, a documentation wiki with its redirects, and URLs in
 *            which an old crawl got lost, all served from loopback.
 * Notes      processor time, the best of three rounds; wall time says little on a machine that others use. Scrapy is
 *            installed by pip install scrapy, Crawlee by npm install crawlee in a folder that CRAWLEE_FOLDER names.
 *            Takes three quarters of an hour: it runs when asked for by name.
 */

import { announce, type BenchResult, round } from './bench.ts';
import { dataFile } from './corpora/data.ts';
import { archiveWriting } from './crawl/archive-writing.ts';
import { frontierCost } from './crawl/frontier-cost.ts';
import { pageCost } from './crawl/page-cost.ts';
import { permutationsTable } from './crawl/permutations.ts';
import { race } from './crawl/race.ts';
import { wholeCrawl } from './crawl/whole-crawl.ts';

export const onRequest = true;

/** What the crawler cannot leave out, and how near the aim it would come with nothing else. */
function slowReason(fetchMs: number, pageMs: number): string {
  const ceiling = round(fetchMs / (fetchMs + pageMs), 2);
  return (
    `a page takes ${round(fetchMs, 2)} ms to fetch and ${round(pageMs, 2)} to be read, hashed and compressed, so ` +
    `${ceiling} is what a crawler without frontier, commits and politeness would reach; threads move that work, and take ` +
    'more of it; with a delay a host, no crawl comes near this rate'
  );
}

export async function run(): Promise<BenchResult> {
  for (const name of ['uci-crawl', 'mdn-archive']) dataFile(`${name}/html.tar.zst`);
  const corpus = { hosts: 89, pages: 53_293 + 7937, redirects: 9556, 'trap URLs': 980 };
  announce(corpus);
  const whole = await wholeCrawl();
  const raced = await race();
  const cost = await pageCost();
  const frontier = await frontierCost();
  return {
    corpus,
    tables: [
      whole,
      raced.table,
      cost.table,
      frontier.table,
      await permutationsTable(),
      await archiveWriting(),
    ],
    targets: [
      {
        figure: 'pages a second over those of undici alone, by processor time',
        atLeast: 0.6,
        reached: raced.share.processor,
        ifMissed: slowReason(raced.fetchMs, cost.milliseconds),
      },
      {
        figure: 'least cost of a URL, at whatever size, over that at ten million known URLs',
        atLeast: 0.5,
        reached: round(1 / frontier.growth, 2),
      },
    ],
  };
}
