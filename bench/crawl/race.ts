/** Who fetches the same pages from the same server how fast: a crawl, undici alone, Scrapy, Crawlee. */
import assert from 'node:assert/strict';
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cell, round, type Table } from '../bench.ts';
import { withFolder } from '../corpora/data.ts';
import type { Run } from './report.ts';

const PAGES = 8000;
const HOSTS = 16;
const ROUNDS = 3;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const last = (text: string) => JSON.parse(text.trim().split('\n').at(-1)!) as Run;

/** A contender, or null where it is not installed: pip install scrapy; CRAWLEE_FOLDER has node_modules/crawlee. */
type Contender = ((words: readonly string[]) => Run) | null;

const node = (script: string, cwd?: string) => (words: readonly string[]) =>
  last(execFileSync(process.execPath, [script, ...words], { encoding: 'utf8', ...(cwd && { cwd }) }));

function contenders(): Record<string, Contender> {
  const hasScrapy = spawnSync('python3', ['-c', 'import scrapy']).status === 0;
  const crawlee = process.env['CRAWLEE_FOLDER'] ?? '';
  const hasCrawlee = crawlee !== '' && existsSync(join(crawlee, 'node_modules/crawlee'));
  if (hasCrawlee) copyFileSync(here('crawlee_crawler.mjs'), join(crawlee, 'crawlee_crawler.mjs'));
  const python = (words: readonly string[]) =>
    last(execFileSync('python3', [here('scrapy_spider.py'), ...words], { encoding: 'utf8' }));
  return {
    'undici alone, nothing read or kept': node(here('fetch-child.ts')),
    'akin crawl': node(here('crawl-child.ts')),
    Scrapy: hasScrapy ? python : null,
    'Crawlee, CheerioCrawler': hasCrawlee ? node(join(crawlee, 'crawlee_crawler.mjs'), crawlee) : null,
  };
}

/** The table, pages a second of the crawl over those of undici alone, by processor time and by wall, and a fetch of that. */
export async function race(): Promise<{
  table: Table;
  share: { wall: number; processor: number };
  fetchMs: number;
}> {
  const server = fork(here('page-server.ts'), [String(PAGES)]);
  try {
    const [{ port, bytes }] = (await once(server, 'message')) as [{ port: number; bytes: number }];
    const best = new Map<string, Run>();
    const absent: string[] = [];
    await withFolder(async (folder) => {
      for (let i = 0; i < ROUNDS; i++) {
        for (const [name, contender] of Object.entries(contenders())) {
          if (contender === null) {
            if (i === 0) absent.push(name);
            continue;
          }
          const run = contender([
            String(port),
            String(PAGES),
            String(HOSTS),
            mkdtempSync(join(folder, 'run-')),
          ]);
          // Scrapy gives up on a page or two that it cannot decode.
          assert.ok(run.pages > 0.999 * PAGES && run.pages <= PAGES, `${name} fetched ${run.pages} pages`);
          process.stderr.write(`${name}: ${JSON.stringify(run)}\n`);
          if (run.processorSeconds < (best.get(name)?.processorSeconds ?? Infinity)) best.set(name, run);
        }
      }
    });
    const rows = [...best].map(([name, run]): Cell[] => [
      name,
      round(PAGES / run.wallSeconds, 0),
      round((1000 * run.processorSeconds) / PAGES, 2),
      round(run.peakMiB, 0),
    ]);
    const [alone, own] = ['undici alone, nothing read or kept', 'akin crawl'].map((name) => best.get(name)!);
    return {
      table: {
        caption: `${PAGES} pages, ${round(bytes / 1e6, 0)} MB, of ${HOSTS} hosts on loopback, one connection a host, no delay${absent.length === 0 ? '' : `; not installed: ${absent.join(', ')}`}`,
        columns: ['by', 'pages/s', 'processor ms a page', 'peak MiB'],
        rows,
      },
      share: {
        wall: round(alone!.wallSeconds / own!.wallSeconds),
        processor: round(alone!.processorSeconds / own!.processorSeconds),
      },
      fetchMs: (1000 * alone!.processorSeconds) / PAGES,
    };
  } finally {
    server.kill();
  }
}
