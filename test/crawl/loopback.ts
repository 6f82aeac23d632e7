/** Servers of a small web on loopback, and a crawl of it whose archive is read back. */
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseSeeds } from '../../src/cli/settings/seeds.ts';
import { crawl } from '../../src/crawl/crawl.ts';
import { archiveNames } from '../../src/crawl/folder/archive.ts';
import type { CrawlProgress } from '../../src/crawl/folder/crawl-folder.ts';
import type { CrawlSettings, CrawlWorld } from '../../src/crawl/rules/options.ts';
import type { Resolve } from '../../src/net/dns-cache.ts';
import { openSource } from '../../src/sources/open-source.ts';
import type { SourceItem } from '../../src/sources/record/record.ts';
import { newFolder } from '../new-folder.ts';

type CrawlOptions = Parameters<typeof crawl>[0];

export interface Hit {
  readonly host: string;
  readonly path: string;
  readonly startedAtMs: number;
  endedAtMs: number;
  readonly headers: IncomingMessage['headers'];
}

interface Web {
  readonly port: number;
  readonly hits: Hit[];
  /** Leads every name that the server knows to it, and all others nowhere. */
  readonly resolve: Resolve;
}

/** Serves `answer` for all hosts; every request is noted. */
export async function serve(t: TestContext, answer: RequestListener, host = '127.0.0.1'): Promise<Web> {
  const hits: Hit[] = [];
  const server = createServer((request, response) => {
    const host = request.headers.host ?? '';
    const hit: Hit = {
      host: host.replace(/:\d+$/, ''),
      path: request.url!,
      startedAtMs: performance.now(),
      endedAtMs: Infinity,
      headers: request.headers,
    };
    hits.push(hit);
    response.on('close', () => (hit.endedAtMs = performance.now()));
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, hits, resolve: async () => [{ address: host, family: 4, port }] };
}

/** Pages by URL; anything else is 404. Content is HTML unless it says otherwise by its head. */
export function pages(
  byUrl: Readonly<Record<string, string | ((response: ServerResponse) => void)>>,
): RequestListener {
  return (request, response) => {
    const found = byUrl[`http://${request.headers.host}${request.url}`];
    if (typeof found === 'function') return found(response);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(found);
    return undefined;
  };
}

export const links = (...urls: readonly string[]): string =>
  urls.map((url) => `<a href="${url}">${url}</a> `).join('');

export const SETTINGS: CrawlSettings = {
  slots: 8,
  delayMs: 0,
  maxPages: 0,
  perHost: 0,
  maxDepth: 50,
  scope: 'site',
  include: '',
  exclude: '',
  allowedAddresses: ['127.0.0.0/8'],
  part: 1,
  parts: 1,
  userAgent: 'akin',
  contact: '',
  maxPageBytes: 2 ** 20,
  timeLimitMs: 5000,
  requireTrust: true,
  stopsAtCopies: false,
  archiveBytes: 2 ** 30,
};

export function temporaryFolder(t: TestContext): string {
  const folder = newFolder('crawl');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

type Given = Partial<Omit<CrawlOptions, 'settings' | 'seeds'>> & {
  readonly folder: string;
  readonly resolve: Resolve;
  readonly settings?: Partial<CrawlSettings>;
  readonly seeds?: readonly string[];
  readonly world?: Partial<CrawlWorld>;
};

export function crawlTo({ settings, seeds = [], world, ...given }: Given): Promise<CrawlProgress> {
  return crawl(
    {
      mode: 'new',
      settings: { ...SETTINGS, ...settings },
      changed: {},
      indexPath: null,
      signal: new AbortController().signal,
      ...given,
      seeds: parseSeeds(seeds),
    },
    { now: Date.now, random: Math.random, retryMs: 20, ...world },
    () => {},
  );
}

/** All records of the archive of a crawl that our reader does not pass over. */
export async function archived(folder: string): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for (const name of archiveNames(folder)) {
    const options = { maxPageBytes: 2 ** 24, baseUrl: null, format: null };
    const source = await openSource(join(folder, name), options);
    for await (const item of source.items()) items.push(item);
  }
  return items;
}

/** The hosts that the last archive of a crawl says to have whole. */
export async function coveredBy(folder: string): Promise<string[]> {
  const options = { maxPageBytes: 2 ** 24, baseUrl: null, format: null };
  const source = await openSource(join(folder, archiveNames(folder).at(-1)!), options);
  for await (const _item of source.items());
  return source.covered.flatMap(({ hosts }) => hosts);
}

/** The URLs of all records, sorted. */
export async function archivedUrls(folder: string): Promise<string[]> {
  return (await archived(folder)).map(({ url }) => url ?? '').sort();
}

export function logOf(folder: string): Record<string, unknown>[] {
  const lines = readFileSync(join(folder, 'log.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>);
}
