import type { FastifyInstance, FastifyRequest } from 'fastify';
import { postedAnswer } from '../answers/posted.ts';
import { readSearch, requireSearch, searchKey } from '../answers/search/search.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { replyCachedLater } from '../http/reply.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import { SearchParameters, type SearchQuery } from '../schemas/parameters.ts';
import { answers, getRoute } from '../schemas/route-schema.ts';

/** GET /search. The work is done on a thread. */
export function searchRoute(app: FastifyInstance, holder: GenerationHolder): void {
  app.get(
    '/search',
    getRoute({
      id: 'search',
      summary: 'Pages by the words of their titles and texts',
      tag: 'look-ups',
      query: SearchParameters,
      response: answers('Search', 'Best first, with a passage of each; near copies folded.', [404, 410]),
    }),
    (request: FastifyRequest, reply) => {
      const query = request.query as SearchQuery;
      const generation = holder.current();
      readSearch(query);
      requireSearch(generation);
      const hash = textHash(searchKey(query));
      const offset = readCursor(query.cursor, generation.id, hash);
      const job = { kind: 'search', query: { query, offset, hash }, body: null } as const;
      return replyCachedLater(request, reply, generation, hash, `-${query.limit}-${offset}`, () =>
        generation.answerDocument(job, postedAnswer),
      );
    },
  );
}
