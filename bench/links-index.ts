/** A seeded index of any size whose pages have links and nothing else, written in a process of its own. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Random } from '../src/lib/random.ts';
import { IndexWriter } from '../src/store/write/writer.ts';

const SITES = 10_000;

interface LinksOrder {
  readonly path: string;
  readonly pageCount: number;
  /** On average; every page has from none to twice as many. */
  readonly linksAPage: number;
  readonly seed: number;
}

/** Returns how many links there are. Cost  some 20 µs a page. */
export function writeLinksIndex(order: LinksOrder): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', (count) => resolve(count as number));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the index was not written: exit code ${code}`)));
    child.send(order);
  });
}

/**
 * A third of the links go to the pages around, as a site's own do. The others go anywhere, to the page of rank r with a
 * chance of r^(-2/3): of a million pages 1 in 100 of them to the first.
 */
function write({ path, pageCount, linksAPage, seed }: LinksOrder): number {
  const random = new Random(seed);
  const writer = new IndexWriter(path);
  const rows: Uint32Array[] = [];
  const inLinks = new Uint32Array(pageCount);
  let linkCount = 0;
  for (let page = 0; page < pageCount; page++) {
    const row = new Set<number>();
    for (let left = random.below(2 * linksAPage + 1); row.size < left; ) {
      const target =
        random.below(3) === 0
          ? page - 50 + random.below(100)
          : Math.floor(pageCount * (random.below(2 ** 30) / 2 ** 30) ** 3);
      if (target === page || target < 0 || target >= pageCount) left--;
      else row.add(target);
    }
    const targets = Uint32Array.from(row).sort();
    for (const target of targets) inLinks[target]!++;
    linkCount += targets.length;
    rows.push(targets);
  }
  writer.relation({
    id: 1,
    name: 'topic',
    profile: 'akin',
    measure: 'exact',
    neighborLimit: 1,
    floor: 0.03,
    rank: 'similarity',
    kernel: null,
  });
  writer.sweep({ id: 1, name: 'bench', recordCount: 0, startedAtMs: 0 });
  for (let site = 0; site < SITES; site++) writer.site(site, `site${site}.example`);
  for (const [page, targets] of rows.entries()) {
    writer.page({
      id: page,
      url: linkedUrl(page),
      siteId: Math.floor((page * SITES) / pageCount),
      title: `Page ${page}`,
      lang: 'en',
      fetched: false,
      sweepId: null,
      wordCount: 0,
      inLinkCount: inLinks[page]!,
      outLinkCount: targets.length,
    });
    if (targets.length > 0) writer.links(page, targets);
  }
  writer.finish(0, 'bench');
  return linkCount;
}

function linkedUrl(page: number): string {
  return `https://www.example/${String(page).padStart(8, '0')}`;
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', (order) => {
    process.send!(write(order as LinksOrder), () => process.disconnect());
  });
}
