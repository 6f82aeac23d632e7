import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COPY } from '../../relations/copy.ts';
import { canonicalParameter, locateStored } from '../answers/pages/locate.ts';
import { historyAnswer } from '../answers/time/history.ts';
import { movedAnswer } from '../answers/time/moved.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { replyCached } from '../http/reply.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import {
  HistoryParameters,
  type HistoryQuery,
  MovedParameters,
  type MovedQuery,
} from '../schemas/parameters.ts';
import { answers, getRoute } from '../schemas/route-schema.ts';

/** GET /moved and /history: pages over the sweeps. */
export function timeRoutes(app: FastifyInstance, holder: GenerationHolder): void {
  app.get(
    '/moved',
    getRoute({
      id: 'moved',
      summary: 'Where the content of a URL that is gone lives now',
      tag: 'time',
      query: MovedParameters,
      response: answers(
        'Moved',
        'Pages that its content may have gone to, and what speaks for each.',
        [404, 410],
      ),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as MovedQuery;
      const generation = holder.current();
      generation.relation(COPY.name);
      const url = canonicalParameter('url', query.url);
      const hash = textHash(`moved ${query.min_containment} ${JSON.stringify(query.capture ?? null)} ${url}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      return replyCached(request, reply, generation, hash, `-${query.limit}-${offset}`, (view) =>
        JSON.stringify(movedAnswer(view, url, query, offset, hash)),
      );
    },
  );

  app.get(
    '/history',
    getRoute({
      id: 'history',
      summary: 'A page over the sweeps, and how it changed',
      tag: 'time',
      query: HistoryParameters,
      response: answers('History', 'Its captures, oldest first, each against the one before.', [404, 410]),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as HistoryQuery;
      const generation = holder.current();
      generation.relation(COPY.name);
      const url = canonicalParameter('url', query.url);
      const hash = textHash(`history ${url}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      return replyCached(request, reply, generation, hash, `-${query.limit}-${offset}`, (view) =>
        JSON.stringify(historyAnswer(view, locateStored(view, url), query.limit, offset, hash)),
      );
    },
  );
}
