/** A web site of somebody else: its own origin, its own pages, its own policy. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Site {
  readonly origin: string;
  /** Answers at a path from now on. */
  serve(path: string, html: string, headers?: Record<string, string>): string;
  close(): void;
}

export async function openSite(): Promise<Site> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url!.split('?')[0]!);
    const headers = { 'content-type': 'text/html; charset=utf-8', ...page?.headers };
    response.writeHead(page === undefined ? 404 : 200, headers).end(page?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    serve(path, html, headers = {}) {
      pages.set(path, { html, headers });
      return origin + path;
    },
    close: () => server.close(),
  };
}
