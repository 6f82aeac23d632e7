/**
 * A real crawl as a web of its own: the pages of uci-crawl under their 88 hosts, the archive of MDN with its table of
 * redirects, and the URLs of uci-traps, each with a link one step deeper into the trap. Nothing of it is contacted: the
 * server is on loopback.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { selfSigned } from '../../test/net/certificate.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';

export type Answer = { readonly body: Buffer; readonly plain?: true } | { readonly location: string };

export const HUB = 'https://www.ics.uci.edu/akin-hub';
/** Rules for one host: no old versions of its wiki but the first. */
export const ROBOTS_HOST = 'grape.ics.uci.edu';
const ROBOTS = 'user-agent: *\ndisallow: /*version=\nallow: /*?version=1$\n';

/** All answers by canonical URL; anything else is 404. */
export async function uciWeb(): Promise<Map<string, Answer>> {
  const web = new Map<string, Answer>();
  await addPages(web, 'uci-crawl', 'uci-crawl/pages.tsv.zst');
  await addPages(web, 'mdn-archive', 'mdn-archive/labels.tsv');
  const hub: string[] = [];
  for (const row of readTsv('mdn-archive/redirects.tsv.zst', ['old_url', 'new_url'])) {
    const url = canonicalUrl(row.old_url);
    if (url === null || web.has(url)) continue;
    web.set(url, { location: URL.parse(row.new_url)!.href });
    hub.push(url);
  }
  for (const { url: written, path } of readTsv('uci-traps/pages.tsv', ['url', 'path'])) {
    const url = canonicalUrl(written);
    if (url === null || web.has(url)) continue;
    const last = url.split('/').at(-1)!;
    web.set(url, { body: Buffer.from(`<p>trap ${path}</p><a href="${last}/${last}">deeper</a>`) });
    hub.push(url);
  }
  // A page keeps 10,000 links.
  const parts = [hub.slice(0, 5000), hub.slice(5000)];
  for (const [i, part] of parts.entries()) web.set(`${HUB}-${i}`, listOf(part));
  web.set(HUB, listOf(parts.map((_, i) => `${HUB}-${i}`)));
  return web;
}

function listOf(urls: readonly string[]): Answer {
  const links = urls.map((url) => `<a href="${url.replaceAll('"', '%22')}">x</a>\n`);
  return { body: Buffer.from(links.join('')) };
}

async function addPages(web: Map<string, Answer>, folder: string, table: string): Promise<void> {
  const urls = new Map(readTsv(table, ['path', 'url']).map(({ path, url }) => [path, canonicalUrl(url)]));
  for await (const { path, body } of tarFiles(unpacked(`${folder}/html.tar.zst`))) {
    const url = urls.get(path);
    // Where a URL was fetched twice the first stands.
    if (url && !web.has(url)) web.set(url, { body: Buffer.from(body) });
  }
}

/** Requests by URL, robots.txt left out. */
export type Hits = Map<string, number>;

/** Serves it, plain and over TLS, on one port of loopback. */
export async function serveWeb(
  web: ReadonlyMap<string, Answer>,
  hits: Hits,
): Promise<{ port: number; close(): void }> {
  const answer = (scheme: string) =>
    ((request, response) => {
      const url = canonicalUrl(`${scheme}://${request.headers.host}${request.url}`) ?? '';
      if (request.url === '/robots.txt') {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.end(request.headers.host === ROBOTS_HOST ? ROBOTS : '');
        return;
      }
      hits.set(url, (hits.get(url) ?? 0) + 1);
      const found = web.get(url);
      if (found === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('none');
      else if ('location' in found) response.writeHead(301, { location: found.location }).end();
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(found.body);
    }) satisfies Parameters<typeof createHttpServer>[1];
  const http = createHttpServer(answer('http'));
  const https = createHttpsServer(selfSigned('localhost'), answer('https'));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null;
      if (first === null) return socket.destroy();
      socket.unshift(first);
      return (first[0] === 22 ? https : http).emit('connection', socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
