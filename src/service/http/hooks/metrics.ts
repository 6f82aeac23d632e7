import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { keptIn } from '../../../lib/kept.ts';
import { EMPTY_REASONS, type EmptyReason } from '../../schemas/answers/list-answers.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Lists of related pages that had nothing to list, by reason. */
export type EmptyAnswers = Record<EmptyReason, number>;

export function noEmptyAnswers(): EmptyAnswers {
  return Object.fromEntries(EMPTY_REASONS.map((reason) => [reason, 0])) as EmptyAnswers;
}

/** Takes in an answer of a route that has been sent. */
export type Observe = (statusCode: number, elapsedMs: number) => void;

/** Counts every request by route and status class. */
export function measureRequests(app: FastifyInstance): {
  registry: Registry;
  observerOf: (method: string, route: string) => Observe;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'akin_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const observers = new Map<string, Observe>();
  const observerOf = (method: string, route: string) =>
    keptIn(observers, `${method} ${route}`, () => newObserver(method, route));
  const newObserver = (method: string, route: string): Observe => {
    const ofClass: { observe(seconds: number): void }[] = [];
    return (statusCode, elapsedMs) => {
      const digit = Math.trunc(statusCode / 100);
      ofClass[digit] ??= durations.labels(method, route, `${digit}xx`);
      ofClass[digit].observe(elapsedMs / 1000);
    };
  };
  app.addHook('onResponse', (request, reply, done) => {
    const observe = observerOf(request.method, request.routeOptions.url ?? 'none');
    observe(reply.statusCode, reply.elapsedTime);
    done();
  });
  return { registry, observerOf };
}
