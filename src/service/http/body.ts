/**
 * Reads bodies: into one buffer that grows, whatever the size of the pieces they come in; no longer than the route
 * takes, no slower than a client that means well sends, and not crumb by crumb.
 *
 * Memory  up to twice the body. (A string or a list grown piece by piece takes some 60 times a body of 1-byte chunks.)
 */

import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { longer } from '../../lib/columns/longer.ts';
import type { BodyLimits } from './callers/limits.ts';
import { Problem } from './problems/problem.ts';

/** A body as it came. */
export interface PostedBody {
  /** Without its parameters, in lower case. */
  readonly mediaType: string;
  /** As the Content-Type names it. */
  readonly charset: string | null;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of lines, which are read as they come; `bytes` has none of them. */
  readonly stream?: Readable;
}

/** A JSON object a line. */
export const LINES_TYPE = 'application/x-ndjson';

/** A body as callers inside akin post it. */
export function jsonBody(value: unknown): PostedBody {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return { mediaType: 'application/json', charset: null, bytes };
}

/** Of one page or document, however large those are that an index takes. */
export const MAX_PAGE_BYTES = 4 * 2 ** 20;

const FIRST_BYTES = 16 * 1024;
const MAX_JSON_DEPTH = 32;

/**
 * A body may come in so many pieces of any size; more must hold so many bytes each, on average. A piece takes the event
 * loop about a microsecond, however small: a client that sends single bytes takes more of it than any other.
 */
const FREE_PIECES = 1024;
const LEAST_PIECE_BYTES = 16;

/** Takes bodies of these types at the routes of a scope; `request.body` is a `PostedBody`. */
export function takeBodies(app: FastifyInstance, mediaTypes: readonly string[], limits: BodyLimits): void {
  for (const mediaType of mediaTypes) {
    app.addContentTypeParser(mediaType, async (request: FastifyRequest, stream: Readable) => {
      const { accepts = [] } = request.routeOptions.config;
      if (!accepts.includes(mediaType)) {
        throw new Problem('unsupported-media-type', `${mediaType} is not taken here; ${takenText(accepts)}`);
      }
      const contentType = request.headers['content-type'] ?? '';
      const charset = /;\s*charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? null;
      if (mediaType === LINES_TYPE)
        return { mediaType, charset, bytes: new Uint8Array(), stream } satisfies PostedBody;
      return { mediaType, charset, bytes: await readAll(request, stream, limits) } satisfies PostedBody;
    });
  }
}

/** By RFC 9112, section 6.3: neither a length nor chunks. */
export function announcesNoBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** For a refusal: what a route takes. */
export function takenText(accepts: readonly string[]): string {
  return accepts.length === 0 ? 'this route takes no body' : `this route takes ${accepts.join(', ')}`;
}

/** Errors  Problem `body-too-large`, `request-timeout`, and `malformed-request` where the body ends early or comes in crumbs. */
function readAll(
  { headers, routeOptions }: FastifyRequest,
  stream: Readable,
  limits: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const maxBytes = routeOptions.bodyLimit;
  const announced = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (announced !== null && announced > maxBytes) return Promise.reject(tooLarge(maxBytes));
  let bytes = new Uint8Array(Math.min(announced ?? FIRST_BYTES, FIRST_BYTES));
  let length = 0;
  let pieceCount = 0;
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const fail = (problem: Problem) => {
      finish();
      reject(problem);
    };
    const takeIn = (piece: Buffer) => {
      const end = length + piece.length;
      if (end > maxBytes) return fail(tooLarge(maxBytes));
      if (++pieceCount > FREE_PIECES && end < pieceCount * LEAST_PIECE_BYTES) return fail(inCrumbs());
      if (end > bytes.length) bytes = longer(bytes, Math.max(end, Math.min(2 * bytes.length, maxBytes)));
      bytes.set(piece, length);
      length = end;
    };
    const end = () => {
      if (announced !== null && announced !== length) {
        return fail(new Problem('malformed-request', 'the body and its Content-Length do not agree'));
      }
      finish();
      resolve(length === bytes.length ? bytes : bytes.slice(0, length));
    };
    const lose = () => fail(new Problem('malformed-request', 'the body ended before it was complete'));
    const timer = setInterval(() => {
      const seconds = (performance.now() - startedMs - limits.bodyGraceMs) / 1000;
      if (length >= seconds * limits.leastBodyBytesPerSecond) return;
      const detail = `the body came slower than ${limits.leastBodyBytesPerSecond} bytes a second`;
      fail(new Problem('request-timeout', detail, { headers: { connection: 'close' } }));
    }, limits.checkMs);
    const finish = () => {
      clearInterval(timer);
      stream.off('data', takeIn).off('end', end).off('close', lose);
      // What may still come is dropped; an error of a client that is gone does not matter.
      stream.on('error', () => {}).resume();
    };
    stream.on('data', takeIn).once('end', end).once('error', lose).once('close', lose);
  });
}

function tooLarge(maxBytes: number): Problem {
  const detail = `the body is larger than the ${maxBytes} bytes that this route takes`;
  return new Problem('body-too-large', detail, { headers: { connection: 'close' } });
}

function inCrumbs(): Problem {
  const detail = `the body comes in chunks that are too small; send ${2 * LEAST_PIECE_BYTES} bytes or more at a time`;
  return new Problem('malformed-request', detail, { headers: { connection: 'close' } });
}

/** Errors  Problem `malformed-json`: empty, not UTF-8, no JSON, or nested deeper than any body of this service. */
export function parseJson(body: PostedBody | null | undefined): unknown {
  if (body == null) return undefined;
  const { bytes } = body;
  if (bytes.length === 0) throw new Problem('malformed-json', 'the body is empty; send a JSON object');
  if (!isUtf8(bytes)) throw new Problem('malformed-json', 'the body is not valid UTF-8');
  if (isDeep(bytes)) {
    throw new Problem('malformed-json', `the body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  try {
    // A byte order mark is no part of a text.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new Problem('malformed-json', 'the body is not valid JSON', { cause });
  }
}

/** Whether brackets outside strings are open more than `MAX_JSON_DEPTH` deep: what follows them by recursion would fail. */
function isDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isString) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isString = false;
    } else if (byte === 0x22) isString = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return false;
}
