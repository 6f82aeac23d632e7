/**
 * Serves pages of a real crawl under sixteen addresses of loopback, in a process of its own. To each page links are
 * added that make one web of them: to two pages of its own host, and to one of the next.
 */
import { createServer } from 'node:http';
import { unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';

const HOST_COUNT = 16;
const pageCount = Number(process.argv[2]);
const perHost = pageCount / HOST_COUNT;
const bodies: Buffer[] = [];

/** Links that would lead to pages which are not there lead out of the web, so that all fetch the same pages. */
const RELATIVE = /(href\s*=\s*["']?\s*)(?!https?:|mailto:|javascript:|#)/gi;

for await (const { body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
  if (bodies.length === pageCount) break;
  // What would lead the links elsewhere, or forbid to follow them.
  const text = body.toString();
  if (!/nofollow|<base/i.test(text))
    bodies.push(Buffer.from(text.replace(RELATIVE, '$1http://out.example/')));
}
const bytes = bodies.reduce((sum, { length }) => sum + length, 0);

let port = 0;
const address = (host: number) => `127.0.0.${1 + (host % HOST_COUNT)}`;
const server = createServer((request, response) => {
  const host = Number(/^127\.0\.0\.(\d+)/.exec(request.headers.host ?? '')?.[1] ?? 1) - 1;
  const page = Number(/^\/(\d+)$/.exec(request.url!)?.[1] ?? perHost);
  if (page >= perHost) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end();
    return;
  }
  const own = [2 * page + 1, 2 * page + 2].filter((next) => next < perHost).map((next) => `/${next}`);
  const links = [...own, `http://${address(host + 1)}:${port}/${page}`].map(
    (url) => `<a href="${url}">x</a>`,
  );
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(Buffer.concat([Buffer.from(links.join('')), bodies[host * perHost + page]!]));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  ({ port } = server.address() as { port: number });
  const others = Array.from({ length: HOST_COUNT - 1 }, (_, i) => {
    const other = createServer((request, response) => server.emit('request', request, response));
    other.keepAliveTimeout = 60_000;
    return new Promise((resolve) => other.listen(port, address(i + 1), () => resolve(null)));
  });
  Promise.all(others).then(() => process.send!({ port, bytes }));
});
