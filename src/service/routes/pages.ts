import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { indexAnswer } from '../answers/pages/index-card.ts';
import { canonicalParameter, locateStored } from '../answers/pages/locate.ts';
import { pageAnswer } from '../answers/pages/page.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { replyCached } from '../http/reply.ts';
import { textHash } from '../http/request-key.ts';
import { NoParameters, PageParameters } from '../schemas/parameters.ts';
import { answers, getRoute } from '../schemas/route-schema.ts';

/** GET /page and GET /index. */
export function pageRoutes(app: FastifyInstance, holder: GenerationHolder): void {
  app.get(
    '/page',
    getRoute({
      id: 'page',
      summary: 'What is stored about a page',
      tag: 'look-ups',
      query: PageParameters,
      response: answers('Page', 'Title, language, sweeps, top terms, link counts and aliases.', [404]),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const generation = holder.current();
      const url = canonicalParameter('url', (request.query as { url: string }).url);
      return replyCached(request, reply, generation, textHash(`page ${url}`), '', (view) =>
        JSON.stringify(pageAnswer(view, locateStored(view, url))),
      );
    },
  );

  app.get(
    '/index',
    getRoute({
      id: 'index',
      summary: 'The index card',
      tag: 'operation',
      query: NoParameters,
      response: answers('Index', 'Counts, sweeps, parameters, stage times.', []),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const generation = holder.current();
      return replyCached(
        request,
        reply,
        generation,
        textHash('index'),
        `-${generation.card.builtAtMs}`,
        (view) => JSON.stringify(indexAnswer(view)),
      );
    },
  );
}
