/**
 * GET /related as nearly everyone asks it - one URL, no other parameter - answered before the framework sees it.
 *
 * Routing, a chain of hooks and a table of headers cost the framework more than the answer costs; here the head is one
 * array, and head and body go out as one string. Nothing is decided here: whatever is unusual (another parameter or
 * method, a condition, a body) or cannot be answered with 200 from memory is left to the framework, which starts from the beginning.
 * `test/service/plain-related.test.ts` asks both ways and compares.
 */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { relatedAnswer } from '../answers/lists/related.ts';
import type { Generation } from '../held/generation.ts';
import { OPEN_CORS_HEADERS, requestId, SECURITY_HEADERS } from '../http/guard.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import { namesHostTwice } from '../http/limits.ts';
import type { Observe } from '../http/metrics.ts';
import { CACHE_CONTROL, JSON_TYPE } from '../http/reply.ts';
import { entityTag, textHash } from '../http/request-key.ts';
import { RELATED, type RelatedQuery } from '../schemas/list-parameters.ts';
import { plainOf } from '../schemas/parameter.ts';
import type { Service } from './route.ts';

const START = '/related?url=';
/** One value as `encodeURIComponent` leaves it, or with its colons and slashes bare. */
const VALUE = /^[\w\-.~!'()*%:/]+$/;
const MAX_VALUE_CHARS = 3000;

/** Headers of a request that change what it is answered; `x-request-id` is looked at here. */
const DECISIVE = ['if-none-match', 'content-encoding', 'content-length', 'transfer-encoding', 'expect'];

const STANDING = [...Object.entries(SECURITY_HEADERS), ...Object.entries(OPEN_CORS_HEADERS)].flat();

/** To be called once all routes are there; for a service that counts no requests and lets every origin ask. */
export function answerPlainRequests(
  app: FastifyInstance,
  { holder, state }: Pick<Service, 'holder' | 'state'>,
  observe: Observe,
): void {
  const query: RelatedQuery = { ...plainOf(RELATED), url: '' };
  const start = app.basePath + START;
  const isPlain = (path: string) =>
    path.startsWith(start) &&
    path.length <= start.length + MAX_VALUE_CHARS &&
    VALUE.test(path.slice(start.length));

  const compose = (path: string): Composed | null => {
    const url = canonicalUrl(decoded(path.slice(start.length)));
    const generation = holder.current();
    const pageId = url === null ? -1 : generation.catalog.findHeld(url);
    if (pageId < 0 || pageId >= generation.reader.ownPageCount) return null;
    if (generation.catalog.successor(pageId) !== pageId) return null;
    if (!generation.holds(query.by)) return null;
    const hash = plainHash(url!);
    return { generation, hash, json: relatedAnswer(generation, pageId, query, 0, hash) };
  };

  const answer: Answer = (request, response) => {
    const startedMs = performance.now();
    const { method, url: path, headers } = request;
    if (method !== 'GET' || !isPlain(path!) || isDecided(headers)) return false;
    if (headers.host === undefined || namesHostTwice(request)) return false;
    if (state.draining || !holder.loaded || app.isUnderPressure?.()) return false;
    let composed: Composed | null;
    try {
      composed = compose(path!);
    } catch {
      return false;
    }
    if (composed === null) return false;
    const { generation, hash, json } = composed;
    const head = STANDING.slice();
    head.push('x-request-id', requestId(headers['x-request-id']));
    head.push('etag', entityTag(generation.id, hash, ''), 'last-modified', generation.lastModified);
    head.push(
      'cache-control',
      CACHE_CONTROL,
      'content-type',
      JSON_TYPE,
      'content-length',
      String(json.length),
    );
    // Also where the client is gone before the end, as the framework counts.
    response.on('close', () => observe(200, performance.now() - startedMs));
    response.writeHead(200, head);
    response.end(json.toByteString(), 'latin1');
    return true;
  };
  insertBefore(app.server, answer);
}

/** As `questionHash` names a question of one URL. */
function plainHash(url: string): string {
  return textHash(`["related","url",${JSON.stringify(url)}]`);
}

interface Composed {
  readonly generation: Generation;
  readonly hash: string;
  readonly json: JsonWriter;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

function insertBefore(server: Server, answer: Answer): void {
  const framework = server.listeners('request') as ((...pair: Parameters<Answer>) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (answer(request, response)) return;
    for (const listener of framework) listener.call(server, request, response);
  });
}

function isDecided(headers: IncomingHttpHeaders): boolean {
  for (const name of DECISIVE) if (headers[name] !== undefined) return true;
  return false;
}

/** Errors  URIError where the escapes are not UTF-8, which the framework then says. */
function decoded(value: string): string {
  return value.includes('%') ? decodeURIComponent(value) : value;
}
