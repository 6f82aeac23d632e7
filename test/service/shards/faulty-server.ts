import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';

export type Fault = (asked: { path: string; body: string }, response: ServerResponse) => boolean;

/** A server of a shard before which something may go wrong: `fault.now` says whether it has answered, or left it. */
export async function faultyServer(app: FastifyInstance): Promise<{ url: string; fault: { now: Fault } }> {
  const fault: { now: Fault } = { now: () => false };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url!;
    if (fault.now({ path, body }, response)) return;
    const isPost = request.method === 'POST';
    const { statusCode, headers, payload } = await app.inject({
      method: isPost ? 'POST' : 'GET',
      url: path,
      ...(isPost && { payload: body, headers: { 'content-type': 'application/json' } }),
    });
    response.writeHead(statusCode, { 'content-type': String(headers['content-type']) }).end(payload);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, fault };
}

/** Answers every request with 200 and what `text` makes of its body. */
export function answering(text: (asked: { path: string; body: string }) => string): Fault {
  return (asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text(asked));
    return true;
  };
}
