/** What keeps one caller, or too many, from taking the service away from the others. */
import type { IncomingMessage } from 'node:http';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cutText } from '../../../lib/cut-text.ts';
import { Problem } from '../problems/problem.ts';

export interface RateLimits {
  /** Requests a minute and client address: GET and HEAD, which are answered from memory, and QUERY, which asks the same. */
  readonly getPerMinute: number;
  /** The same for POST, PUT and DELETE. */
  readonly postPerMinute: number;
}

/** What a connection may take of the service's time. */
export interface ConnectionLimits {
  /** For the head of a request, from the connection or the first byte. */
  readonly headersMs: number;
  /** For a whole request, body included. */
  readonly requestMs: number;
  /** Without a byte in either direction while an answer is made or taken: then the client is let go. */
  readonly silenceMs: number;
  /** Between two looks at what is too slow. */
  readonly checkMs: number;
  /** A body may be slower than `leastBodyBytesPerSecond` for so long. */
  readonly bodyGraceMs: number;
  readonly leastBodyBytesPerSecond: number;
}

export type BodyLimits = Pick<ConnectionLimits, 'bodyGraceMs' | 'leastBodyBytesPerSecond' | 'checkMs'>;

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  silenceMs: 60_000,
  checkMs: 1000,
  bodyGraceMs: 5000,
  leastBodyBytesPerSecond: 4096,
};

const RETRY_SECONDS = 2;
/** Computes, or changes something. */
const WRITING = ['POST', 'PUT', 'DELETE'];

/** A null limits no request; `feedbackPerMinute` counts POST /feedback in place of `postPerMinute`. */
export function limitRate(
  app: FastifyInstance,
  limits: RateLimits | null,
  feedbackPerMinute: number | null,
): void {
  app.register(rateLimit, { global: false });
  app.after(() => {
    const bucket = (max: number) =>
      app.rateLimit({
        max,
        timeWindow: 60_000,
        errorResponseBuilder: (_request, context) =>
          new Problem(
            'too-many-requests',
            `more than ${context.max} requests a minute; try again in ${context.after}`,
          ),
      });
    const get = limits && bucket(limits.getPerMinute);
    const post = limits && bucket(limits.postPerMinute);
    const feedback = feedbackPerMinute === null ? post : bucket(feedbackPerMinute);
    const counted = ({ method, routeOptions }: FastifyRequest) => {
      if (routeOptions.config?.cost === 'feedback') return feedback;
      return WRITING.includes(method) ? post : get;
    };
    app.addHook('onRequest', async function limit(request, reply) {
      if (!isOperational(request)) await counted(request)?.call(this, request, reply);
    });
  });
}

/** What held the event loop in the first look at it was the start. */
const START_MS = 2000;

/** Answers 503 while the event loop lags: better a quick refusal than a queue that only grows. */
export function refuseUnderPressure(app: FastifyInstance, maxEventLoopDelayMs: number): void {
  let startedAtMs = 0;
  app.addHook('onReady', async () => {
    startedAtMs = performance.now();
  });
  app.register(underPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    pressureHandler: async (request) => {
      if (isOperational(request) || performance.now() < startedAtMs + START_MS) return;
      const headers = { 'retry-after': String(RETRY_SECONDS) };
      throw new Problem('overloaded', `the service is overloaded; try again in ${RETRY_SECONDS} seconds`, {
        headers,
      });
    },
  });
}

/** Whether a request has several Host headers: whoever passes it on may have gone by another one. */
export function namesHostTwice({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

/** Refuses what Node would answer by itself, without a problem: a request without Host, an expectation that is not known. */
export function refuseBareRequests(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, raw }, _reply, done) => {
    const close = { headers: { connection: 'close' } };
    const { host, expect } = headers;
    if (namesHostTwice(raw)) {
      return done(new Problem('malformed-request', 'the Host header is there twice', close));
    }
    if (host === undefined && raw.httpVersion === '1.1') {
      return done(new Problem('malformed-request', 'the Host header is missing', close));
    }
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      const detail = `Expect "${cutText(expect, 100)}": only 100-continue is known`;
      return done(new Problem('expectation-failed', detail, close));
    }
    done();
  });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
}

/** Compressed bodies are refused: their true size is unknown until it is too late. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding.toLowerCase() === 'identity') return done();
    done(new Problem('unsupported-media-type', `Content-Encoding "${encoding}": send the body uncompressed`));
  });
}

function isOperational(request: FastifyRequest): boolean {
  return request.routeOptions.config?.cost === 'operation';
}
