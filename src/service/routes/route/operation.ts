/** Questions of the machinery around the service. */
import { Problem, unreadable } from '../../http/problems/problem.ts';
import type { Generation } from '../../index/generation.ts';
import type { GenerationHolder } from '../../index/generation-holder.ts';
import { upkeepAnswer, upkeepMetrics } from '../../index/upkeep.ts';
import { AliveSchema, type ReadyAnswer, ReadySchema } from '../../schemas/answers/index-answers.ts';
import { route, type Said, type ServiceState } from './route.ts';

const said = (value: string, mediaType?: string): Said => ({
  value,
  lost: [],
  ...(mediaType && { mediaType }),
});

export const OPERATION_ROUTES = {
  livez: route({
    method: 'GET',
    path: '/livez',
    scope: 'anyone',
    summary: 'Whether the process lives',
    tag: 'operation',
    query: {},
    answers: AliveSchema,
    says: 'It does.',
    problems: [],
    cost: 'operation',
    act: async () => said('{"status":"alive"}'),
  }),
  readyz: route({
    method: 'GET',
    path: '/readyz',
    scope: 'anyone',
    summary: 'Whether requests should be sent here',
    tag: 'operation',
    query: {},
    answers: ReadySchema,
    says: 'They should.',
    problems: [],
    cost: 'operation',
    act: async ({ holder, state }) => {
      if (state.draining) throw new Problem('not-ready', 'the service is stopping');
      await requireReadable(holder.current());
      return said(JSON.stringify(readiness(holder, state)));
    },
  }),
  metrics: route({
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    tag: 'operation',
    query: {},
    answers: 'text/plain',
    says: 'Prometheus text format.',
    problems: [],
    cost: 'operation',
    act: async ({ registry, state: { upkeep } }) => {
      const more = upkeep === null ? '' : upkeepMetrics(upkeep());
      return said(`${await registry.metrics()}${more}`, registry.contentType);
    },
  }),
};

/** Pages and places that a look at the file reads: others each time, so that damage anywhere is met in time. */
const READ_PAGES = 8;

/** Reads some of the files that are served. Errors  Problem `not-ready` where one was damaged in place. */
async function requireReadable(generation: Generation): Promise<void> {
  const { file, facts } = generation;
  try {
    // A file that is found damaged while it takes the place of another is never served.
    if (file !== null && file.damage !== null) throw file.damage;
    file?.reader.probe(Array.from({ length: READ_PAGES }, Math.random));
    await generation.answer(async (reads) => {
      // Shards over the network have probes of their own.
      if (reads.readAhead > 1) return;
      for (let i = 0; i < READ_PAGES && facts.ownPageCount > 0; i++) {
        const pageId = Math.floor(Math.random() * facts.ownPageCount);
        await reads.page(pageId);
        // Of the file, whatever is in memory.
        for (const { id } of facts.card.relations) {
          if (file === null) await reads.neighbors(id, pageId);
          else file.reader.neighbors(id, pageId);
        }
      }
    });
  } catch (cause) {
    throw unreadable(cause);
  }
}

/** Errors  Problem `not-ready`. */
function readiness(holder: GenerationHolder, { upkeep }: ServiceState): ReadyAnswer {
  const { card } = holder.current();
  const { swapCount, loadedAtMs, fault } = holder.status;
  return {
    status: 'ready',
    generation: card.generation,
    page_count: card.pageCount,
    swap_count: swapCount,
    loaded_at: new Date(loadedAtMs).toISOString(),
    fault: fault === null ? null : { code: fault.code, at: new Date(fault.atMs).toISOString() },
    ...(upkeep !== null && { crawl: upkeepAnswer(upkeep()) }),
    ...(holder.lostShards.length > 0 && { lost_shards: [...holder.lostShards] }),
  };
}
