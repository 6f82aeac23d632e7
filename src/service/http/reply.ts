import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonText } from './json-text.ts';
import { LOST_SHARDS } from './problems/problem.ts';
import { entityTag, tagMatches } from './question/request-key.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

const KEPT = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';
const ASKED_AGAIN = 'public, no-cache, stale-if-error=86400';

/** An answer, and the shards that it lacks. */
export interface Answered<Value> {
  readonly value: Value;
  readonly lost: readonly number[];
}

/** The state of the index that an answer is made from. */
interface Source {
  readonly state: string;
  /** For the Last-Modified header. */
  readonly lastModified: string;
  /** Not null where pages are taken. */
  readonly live: object | null;
  /** With the rules that hold now. */
  readonly facts: { readonly rules: { readonly rules: readonly object[] } };
}

/**
 * For how long an answer may be kept: one that the next write may change, of pages or of rules, is asked for again, and then
 * mostly answered 304.
 */
export function cacheControl({ live, facts }: Pick<Source, 'live' | 'facts'>): string {
  return live === null && facts.rules.rules.length === 0 ? KEPT : ASKED_AGAIN;
}

/**
 * Answers a GET with its validators, or 304 without making the answer.
 *
 * `hash` and `detail` together name the normalized request. `If-None-Match: *` asks whether there is an
 * answer at all, so it is made first.
 */
export async function replyCached(
  request: FastifyRequest,
  reply: FastifyReply,
  source: Source,
  hash: string,
  detail: string,
  make: () => Promise<Answered<unknown>>,
  mediaType: string = JSON_TYPE,
): Promise<FastifyReply> {
  const tag = entityTag(source.state, hash, detail);
  const { lastModified } = source;
  const condition = request.headers['if-none-match'];
  const isFresh = condition !== undefined && condition !== '*' && tagMatches(condition, tag);
  const answer = isFresh ? NOTHING : await make();
  if (answer.lost.length > 0) return sendPartial(reply, answer, mediaType);
  reply.header('etag', tag);
  reply.header('last-modified', lastModified);
  reply.header('cache-control', cacheControl(source));
  if (isFresh || condition === '*') return reply.code(304).send();
  reply.header('content-type', mediaType);
  return reply.send(textOf(answer.value));
}

const NOTHING: Answered<string> = { value: '', lost: [] };

/** Answers a POST. */
export function replyUncached(
  reply: FastifyReply,
  answer: Answered<unknown>,
  mediaType: string = JSON_TYPE,
): FastifyReply {
  if (answer.lost.length > 0) return sendPartial(reply, answer, mediaType);
  return reply.headers({ 'content-type': mediaType, 'cache-control': 'no-store' }).send(textOf(answer.value));
}

/** An answer that lacks shards says which: a JSON object in itself, any other in a header. */
function sendPartial(
  reply: FastifyReply,
  { value, lost }: Answered<unknown>,
  mediaType: string,
): FastifyReply {
  reply.headers({
    'content-type': mediaType,
    'cache-control': 'no-store',
    [LOST_SHARDS]: lost.join(', '),
  });
  const isObject = typeof value === 'object';
  return reply.send(textOf(isObject ? { ...value, partial: true, lost_shards: lost } : value));
}

/** A text is an answer as it is, such as HTML; any other is JSON. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
