import type { FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, tagMatches } from './request-key.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export const CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';

/** An answer, and the shards that it lacks. */
export interface Settled<Value> {
  readonly value: Value;
  readonly lost: readonly number[];
}

/** The state of the index that an answer is made from. */
interface Source {
  readonly id: string;
  /** For the Last-Modified header. */
  readonly lastModified: string;
}

/** A source of which an answer is made at once, or by and by. */
interface SettlingSource<View> extends Source {
  settle(make: (view: View) => string): Settled<string> | Promise<Settled<string>>;
}

/**
 * Answers a GET with its validators, or 304 without making the answer.
 *
 * `hash` and `detail` together name the normalized request. `If-None-Match: *` asks whether there is an
 * answer at all, so it is made first.
 */
export function replyCached<View>(
  request: FastifyRequest,
  reply: FastifyReply,
  generation: SettlingSource<View>,
  hash: string,
  detail: string,
  make: (generation: View) => string,
  mediaType: string = JSON_TYPE,
): FastifyReply | Promise<FastifyReply> {
  const tag = entityTag(generation.id, hash, detail);
  const fresh = isFresh(request, tag);
  const answer = fresh ? NOTHING : generation.settle(make);
  const send = (settled: Settled<string>) =>
    sendTagged(request, reply, generation, tag, fresh, settled, mediaType);
  return answer instanceof Promise ? answer.then(send) : send(answer);
}

const NOTHING: Settled<string> = { value: '', lost: [] };

/** The same for an answer that takes its time. */
export async function replyCachedLater(
  request: FastifyRequest,
  reply: FastifyReply,
  generation: Source,
  hash: string,
  detail: string,
  make: () => Promise<Settled<string>>,
): Promise<FastifyReply> {
  const tag = entityTag(generation.id, hash, detail);
  const fresh = isFresh(request, tag);
  return sendTagged(request, reply, generation, tag, fresh, fresh ? NOTHING : await make(), JSON_TYPE);
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
  answer: Settled<string>,
  mediaType: string,
): FastifyReply {
  if (answer.lost.length > 0) return sendPartial(reply, answer, mediaType);
  reply.header('etag', tag);
  reply.header('last-modified', generation.lastModified);
  reply.header('cache-control', CACHE_CONTROL);
  if (fresh || request.headers['if-none-match'] === '*') return reply.code(304).send();
  reply.header('content-type', mediaType);
  return reply.send(answer.value);
}

/** Answers what is not to be kept. */
export function replyUncached(
  reply: FastifyReply,
  answer: Settled<string>,
  mediaType: string = JSON_TYPE,
): FastifyReply {
  if (answer.lost.length > 0) return sendPartial(reply, answer, mediaType);
  return reply.headers({ 'content-type': mediaType, 'cache-control': 'no-store' }).send(answer.value);
}

/** An answer that lacks shards says which: a JSON object in itself, any other in a header. */
function sendPartial(reply: FastifyReply, { value, lost }: Settled<string>, mediaType: string): FastifyReply {
  reply.headers({
    'content-type': mediaType,
    'cache-control': 'no-store',
    'akin-lost-shards': lost.join(', '),
  });
  if (mediaType !== JSON_TYPE) return reply.send(value);
  return reply.send(`${value.slice(0, -1)},"partial":true,"lost_shards":[${lost.join(',')}]}`);
}
