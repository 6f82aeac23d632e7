import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { Problem } from '../http/problem.ts';
import { NoParameters } from '../schemas/parameters.ts';
import { answers, operationRoute } from '../schemas/route-schema.ts';

export interface ServiceState {
  /** Set when the service is about to stop: it still answers, but asks for no new work. */
  draining: boolean;
}

/** GET /livez, /readyz and /metrics: for the machinery around the service. */
export function operationRoutes(
  app: FastifyInstance,
  holder: GenerationHolder,
  state: ServiceState,
  registry: Registry | null,
): void {
  app.get(
    '/livez',
    operationRoute({
      id: 'livez',
      summary: 'Whether the process lives',
      tag: 'operation',
      query: NoParameters,
      response: answers('Alive', 'It does.', []),
    }),
    (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );

  app.get(
    '/readyz',
    operationRoute({
      id: 'readyz',
      summary: 'Whether requests should be sent here',
      tag: 'operation',
      query: NoParameters,
      response: answers('Ready', 'They should.', []),
    }),
    (_request, reply) => {
      if (state.draining) throw new Problem('not-ready', 'the service is stopping');
      const { card } = holder.current();
      const { swapCount, loadedAtMs, fault } = holder.status;
      return reply.header('cache-control', 'no-store').send({
        status: 'ready',
        generation: card.generation,
        page_count: card.pageCount,
        swap_count: swapCount,
        loaded_at: new Date(loadedAtMs).toISOString(),
        fault: fault === null ? null : { code: fault.code, at: new Date(fault.atMs).toISOString() },
        ...(holder.lostShards.length > 0 && { lost_shards: holder.lostShards }),
      });
    },
  );

  if (registry === null) return;
  app.get(
    '/metrics',
    operationRoute({
      id: 'metrics',
      summary: 'Figures for Prometheus',
      tag: 'operation',
      query: NoParameters,
      response: answers('text/plain', 'Prometheus text format.', []),
    }),
    async (_request, reply) => {
      const text = await registry.metrics();
      return reply.headers({ 'content-type': registry.contentType, 'cache-control': 'no-store' }).send(text);
    },
  );
}
