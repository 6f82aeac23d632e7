import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../http/problems/problem.ts';
import type { Generation } from '../../index/generation.ts';
import type { Reads } from '../../reads/reads.ts';

/**
 * Sends pieces as they are made, as fast as the client takes them. The generation stays open meanwhile; where the client goes,
 * making them ends. An answer that lacks a shard, or fails, breaks off, so that no one takes it for all; where
 * nothing of it was sent yet, it is a problem.
 *
 * @param leave is called once at the end.
 */
export function sendStream(
  reply: FastifyReply,
  generation: Generation,
  make: (reads: Reads) => AsyncIterable<string>,
  leave: () => void,
): FastifyReply {
  const headed = reply.headers({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
  });
  if (reply.request.method === 'HEAD') {
    leave();
    return headed.send(Readable.from([]));
  }
  const body = new PassThrough();
  const { raw } = reply.request;
  const breakOff = (error: Error) => {
    // Without chunks the end of the connection would be that of the answer: proxies ask so.
    if (reply.raw.headersSent && raw.httpVersion === '1.0') raw.socket.resetAndDestroy();
    body.destroy(error);
  };
  const letEnd = keepOpen(reply.request, body);
  const made = async () => {
    const { lost } = await generation.answer((reads) => pipeline(make(reads), body, { end: false }));
    if (lost.length === 0) body.end();
    else breakOff(new Problem('shard-unavailable', `this would lack what is in shard ${lost.join(', ')}`));
  };
  made()
    .catch(breakOff)
    .finally(() => {
      letEnd();
      leave();
    });
  return headed.send(body);
}

/** Looks at a connection in the time after which it ends as a silent one. */
const LOOKS = 4;

/**
 * The time in which a connection may be silent runs only while there is something for the client to take, however long the next
 * piece takes. Returns what ends that.
 */
function keepOpen({ raw: { socket } }: FastifyRequest, body: PassThrough): () => void {
  const { timeout: silenceMs = 0 } = socket;
  if (silenceMs === 0) return () => {};
  const look = () => {
    const allowedMs = body.readableLength + socket.writableLength === 0 ? 0 : silenceMs;
    if (socket.timeout !== allowedMs) socket.setTimeout(allowedMs);
  };
  look();
  const timer = setInterval(look, silenceMs / LOOKS);
  return () => {
    clearInterval(timer);
    socket.setTimeout(silenceMs);
  };
}
