/** What stands before every route: headers that every answer has, and what refuses a request unread. */
import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import {
  limitRate,
  type RateLimits,
  refuseBareRequests,
  refuseEncodedBodies,
  refuseUnderPressure,
} from '../callers/limits.ts';
import { type MethodsAt, pathOf } from '../route-table.ts';

interface GuardOptions {
  readonly corsOrigins?: readonly string[];
  readonly rateLimits?: RateLimits | null;
  readonly feedback?: { readonly perMinute: number } | null;
  readonly maxEventLoopDelayMs?: number;
}

/**
 * What helmet would say of an API, written once: helmet builds its policy again for every request,
 * which took longer than the answer. Nothing here may load anything (/docs brings a policy of its own);
 * other sites may fetch what is here. Whether a domain is to be reached by TLS alone is for whoever ends TLS.
 */
export const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** What any answer says to a browser where every origin may ask. */
export const OPEN_CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Retry-After, X-Request-Id, Akin-Sequence, Akin-Lost-Shards',
};

const ALLOW_METHODS = 'access-control-allow-methods';
const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The id that a request came with, if that is a sane one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** `state.draining` is set while the service stops. */
export function guard(
  app: FastifyInstance,
  methodsAt: MethodsAt,
  state: { readonly draining: boolean },
  options: GuardOptions,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    done();
  });
  app.register(cors, {
    origin: options.corsOrigins === undefined ? '*' : [...options.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'QUERY'],
    exposedHeaders: OPEN_CORS_HEADERS['access-control-expose-headers'],
    maxAge: 86_400,
    // An OPTIONS that is no preflight gets the answer of any other method that is not allowed.
    strictPreflight: false,
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // So that the client asks elsewhere next time, and no kept connection has to be cut.
    if (state.draining) reply.header('connection', 'close');
    // Chunks that are not read cost as much as others, and may go on for as long as a request may take.
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    if (isChunked && !request.raw.complete) reply.header('connection', 'close');
    // The plugin knows one list of methods for all paths.
    if (request.method === 'OPTIONS' && reply.hasHeader(ALLOW_METHODS)) {
      const methods = methodsAt(pathOf(request));
      if (methods.length > 0) reply.header(ALLOW_METHODS, methods.join(', '));
    }
    done();
  });
  refuseBareRequests(app);
  refuseEncodedBodies(app);
  const { rateLimits = null, feedback = null } = options;
  if (rateLimits !== null || feedback !== null) limitRate(app, rateLimits, feedback?.perMinute ?? null);
  const maxDelayMs = options.maxEventLoopDelayMs ?? 1000;
  if (maxDelayMs > 0) refuseUnderPressure(app, maxDelayMs);
}
