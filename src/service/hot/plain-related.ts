/**
 * GET /related as nearly everyone asks it - one URL, no other parameter - answered before the framework sees it.
 *
 * Routing, a chain of hooks and a table of headers cost the framework more than the answer costs; here the head is one
 * array, and head and body go out as one string. Nothing is decided here: whatever is unusual (another parameter or
 * method, a condition, a body) or cannot be answered with 200 from memory is left to the framework, which starts from the beginning.
 * `test/service/routes/plain-related.test.ts` asks both ways and compares.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { siteOf } from '../../url/site.ts';
import { relatedAnswer } from '../answers/lists/related.ts';
import { namesHostTwice } from '../http/callers/limits.ts';
import { insertBefore } from '../http/callers/turns.ts';
import { OPEN_CORS_HEADERS, requestId, SECURITY_HEADERS } from '../http/hooks/guard.ts';
import type { Observe } from '../http/hooks/metrics.ts';
import { entityTag, textHash } from '../http/question/request-key.ts';
import { cacheControl, JSON_TYPE } from '../http/reply.ts';
import type { Generation } from '../index/generation.ts';
import type { Reads } from '../reads/reads.ts';
import { IN_PLACE_US, Work } from '../reads/work.ts';
import type { Service } from '../routes/route/route.ts';
import type { Rules } from '../rules/rules.ts';
import { plainOf } from '../schemas/parameter.ts';
import { RELATED, type RelatedQuery } from '../schemas/parameters/list-parameters.ts';
import type { JsonWriter } from '../snapshot/json-writer.ts';
import type { HeldPages } from '../snapshot/snapshot.ts';
import { plainList } from './plain-list.ts';

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

  let known: { readonly rules: Rules; readonly held: HeldPages; readonly areOwn: boolean } | null = null;
  /** Whether the rules for single pages name all of these by their own URLs, and no page by another. */
  const areOwn = (rules: Rules, held: HeldPages) => {
    if (known?.rules !== rules || known.held !== held) {
      const isOwn = (url: string) => {
        const pageId = held.findHeld(url);
        return pageId >= 0 && held.successor(pageId) === pageId;
      };
      known = { rules, held, areOwn: rules.pageUrls.every(isOwn) };
    }
    return known.areOwn;
  };

  /** What the path asks for; null where that is not a page in memory. */
  const place = (path: string): Found | null => {
    const url = canonicalUrl(decoded(path.slice(start.length)));
    const generation = holder.current();
    const { facts } = generation;
    const { held } = generation;
    if (url === null || held === null || !facts.holds(query.by)) return null;
    const pageId = held.findHeld(url);
    if (pageId < 0 || pageId >= facts.ownPageCount || held.successor(pageId) !== pageId) return null;
    const isPlain = areOwn(facts.rules, held) && facts.rules.of([url], () => siteOf(url)) === null;
    return { generation, state: facts.state, held, pageId, isPlain, hash: plainHash(url) };
  };

  const answer: Answer = (request, response, otherwise) => {
    const startedMs = performance.now();
    const { method, url: path, headers } = request;
    if (method !== 'GET' || !isPlain(path!) || isDecided(headers)) return otherwise();
    if (headers.host === undefined || namesHostTwice(request)) return otherwise();
    if (state.draining || !holder.loaded || app.isUnderPressure?.()) return otherwise();
    const send = (
      { generation, state, hash }: Found,
      text: string,
      length: number,
      encoding: BufferEncoding,
    ) => {
      const head = STANDING.slice();
      head.push('x-request-id', requestId(headers['x-request-id']));
      head.push('etag', entityTag(state, hash, ''), 'last-modified', generation.lastModified);
      head.push(
        'cache-control',
        cacheControl(generation),
        'content-type',
        JSON_TYPE,
        'content-length',
        String(length),
      );
      if (generation.live !== null) head.push('akin-sequence', String(generation.live.segment.sequence));
      // Also where the client is gone before the end, as the framework counts.
      response.on('close', () => observe(200, performance.now() - startedMs));
      response.writeHead(200, head);
      response.end(text, encoding);
    };
    let found: Found | null;
    let json: JsonWriter | null;
    try {
      found = place(path!);
      json = found?.isPlain
        ? plainList(found.held, found.generation.facts, found.pageId, query, found.hash)
        : null;
    } catch {
      return otherwise();
    }
    if (found === null) return otherwise();
    if (json !== null) return send(found, json.toByteString(), json.length, 'latin1');
    // More than the stored list is to be read.
    const { generation, pageId, hash } = found;
    const make = (reads: Reads) => relatedAnswer({ reads, narrowing: query, offset: 0 }, pageId, hash);
    const made = async () => JSON.stringify((await generation.answer(make, new Work(IN_PLACE_US))).value);
    made()
      .then((text) => send(found, text, Buffer.byteLength(text), 'utf8'))
      .catch(otherwise);
  };
  insertBefore(app.server, answer);
}

/** As `questionHash` names a question of one URL. */
function plainHash(url: string): string {
  return textHash(`["related","url",${JSON.stringify(url)}]`);
}

interface Found {
  readonly generation: Generation;
  /** When it was asked: what is answered may be newer. */
  readonly state: string;
  readonly held: HeldPages;
  readonly pageId: number;
  /** Whether no rule of the app can be for its list: one of a page may name it by another URL. */
  readonly isPlain: boolean;
  readonly hash: string;
}

/** Answers, or leaves it to what comes otherwise. */
type Answer = (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => void;

function isDecided(headers: IncomingHttpHeaders): boolean {
  for (const name of DECISIVE) if (headers[name] !== undefined) return true;
  return false;
}

/** Errors  URIError where the escapes are not UTF-8, which the framework then says. */
function decoded(value: string): string {
  return value.includes('%') ? decodeURIComponent(value) : value;
}
