import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, tagMatches } from './request-key.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';

/** The state of the index that an answer is made from. */
interface Source {
  readonly id: string;
  /** For the Last-Modified header. */
  readonly lastModified: string;
}

/**
 * Answers a GET with its validators, or 304 without making the answer.
 *
 * `hash` and `detail` together name the normalized request. `If-None-Match: *` asks whether there is an
 * answer at all, so it is made first.
 */
export function replyCached(
  request: FastifyRequest,
  reply: FastifyReply,
  generation: Source,
  hash: string,
  detail: string,
  make: () => string,
  mediaType: string = JSON_TYPE,
): FastifyReply {
  const tag = entityTag(generation.id, hash, detail);
  const fresh = isFresh(request, tag);
  return sendTagged(request, reply, generation, tag, fresh, fresh ? '' : make(), mediaType);
}

/** The same for an answer that takes its time. */
export async function replyCachedLater(
  request: FastifyRequest,
  reply: FastifyReply,
  generation: Source,
  hash: string,
  detail: string,
  make: () => Promise<string>,
): Promise<FastifyReply> {
  const tag = entityTag(generation.id, hash, detail);
  const fresh = isFresh(request, tag);
  return sendTagged(request, reply, generation, tag, fresh, fresh ? '' : await make(), JSON_TYPE);
}

function isFresh({ headers }: FastifyRequest, tag: string): boolean {
  const condition = headers['if-none-match'];
  return condition !== undefined && condition !== '*' && tagMatches(condition, tag);
}

function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  generation: Source,
  tag: string,
  fresh: boolean,
  body: string,
  mediaType: string,
): FastifyReply {
  reply.header('etag', tag);
  reply.header('last-modified', generation.lastModified);
  reply.header('cache-control', CACHE_CONTROL);
  if (fresh || request.headers['if-none-match'] === '*') return reply.code(304).send();
  reply.header('content-type', mediaType);
  return reply.send(body);
}

/** Answers a POST. */
export function replyUncached(reply: FastifyReply, body: string): FastifyReply {
  return reply.headers({ 'content-type': JSON_TYPE, 'cache-control': 'no-store' }).send(body);
}
