import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { measureEventLoopLag } from './event-loop-lag.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Takes in an answer of a route that has been sent. */
export type Observe = (statusCode: number, elapsedMs: number) => void;

/** Counts every request by route and status class; what is read on demand is read when asked for. */
export function measureRequests(
  app: FastifyInstance,
  holder: GenerationHolder,
): { registry: Registry; observerOf: (method: string, route: string) => Observe } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureEventLoopLag(app, registry);
  const durations = new Histogram({
    name: 'akin_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const observers = new Map<string, Observe>();
  const observerOf = (method: string, route: string): Observe => {
    const key = `${method} ${route}`;
    let observe = observers.get(key);
    if (observe === undefined) observers.set(key, (observe = newObserver(method, route)));
    return observe;
  };
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
  describeIndex(registry, holder);
  return { registry, observerOf };
}

function describeIndex(registry: Registry, holder: GenerationHolder): void {
  const registers = [registry];
  new Gauge({
    name: 'akin_index_info',
    help: 'The generation that is served.',
    labelNames: ['generation', 'akin_version'] as const,
    registers,
    collect() {
      this.reset();
      if (!holder.loaded) return;
      const { generation, akinVersion } = holder.current().card;
      this.set({ generation, akin_version: akinVersion }, 1);
    },
  });
  const figures: [name: string, help: string, read: () => number][] = [
    ['akin_index_pages', 'Pages of the index.', () => holder.current().card.pageCount],
    [
      'akin_index_built_timestamp_seconds',
      'When the index was built.',
      () => holder.current().card.builtAtMs / 1000,
    ],
    ['akin_index_size_bytes', 'Size of the index file.', () => holder.current().card.sizeBytes],
    [
      'akin_index_load_duration_seconds',
      'Time the last load took.',
      () => holder.status.loadDurationMs / 1000,
    ],
    ['akin_index_swaps', 'New generations taken up since the start.', () => holder.status.swapCount],
    [
      'akin_index_fault',
      '1 while a newer index file cannot be served.',
      () => (holder.status.fault === null ? 0 : 1),
    ],
  ];
  for (const [name, help, read] of figures) {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        if (holder.loaded) this.set(read());
      },
    });
  }
}
