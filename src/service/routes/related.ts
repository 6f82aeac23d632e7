import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COPY } from '../../relations/copy.ts';
import { missingAnswer, notIndexed, pageList, relatedAnswer } from '../answers/lists/related.ts';
import { relatedHtml } from '../answers/lists/related-html.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import type { Generation } from '../held/generation.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { questionKey } from '../http/question.ts';
import { replyCached } from '../http/reply.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import { LIST_FILTERS } from '../schemas/list-filters.ts';
import {
  FragmentParameters,
  type FragmentQuery,
  type Narrowing,
  RelatedParameters,
  type RelatedQuery,
} from '../schemas/list-parameters.ts';
import { answers, getRoute } from '../schemas/route-schema.ts';

/** GET /related: the hot path. Nothing here reads the file unless the filters or `explain` ask for it. */
export function relatedRoutes(app: FastifyInstance, holder: GenerationHolder): void {
  app.get(
    '/related',
    getRoute({
      id: 'related',
      summary: 'Pages related to a page',
      tag: 'look-ups',
      query: RelatedParameters,
      response: answers(
        'Related',
        'The list, nearest first; an empty one with its reason is an answer too.',
        [404, 410],
      ),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as RelatedQuery;
      const generation = holder.current();
      generation.require(query.by);
      const url = canonicalParameter('url', query.url);
      const hash = textHash(`${url} ${questionKey(LIST_FILTERS, query)}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      const detail = `-${query.limit}-${offset}${query.explain ? 'e' : ''}${query.cards ? 'c' : ''}${query.missing === '200' ? 'm' : ''}`;
      return generation.withLinks(query.by, () =>
        replyCached(request, reply, generation, hash, detail, (view) => {
          const answer =
            query.missing === '200' && view.catalog.find(url) < 0
              ? missingAnswer(view, url, query, hash)
              : relatedAnswer(view, locate(view, url), query, offset, hash);
          return answer.toString();
        }),
      );
    },
  );

  app.get(
    '/related.html',
    getRoute({
      id: 'relatedHtml',
      summary: 'The same as an HTML fragment, for pages without script',
      tag: 'look-ups',
      query: FragmentParameters,
      response: answers(
        'text/html',
        'A section to stand in a page; empty, with data-reason, where nothing is related or the page is not in the index.',
        [404],
      ),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as FragmentQuery;
      const { heading, missing } = query;
      const narrowing: Narrowing = {
        ...query,
        explain: false,
        exclude_copies: query.exclude_copies ?? query.by !== COPY.name,
      };
      const generation = holder.current();
      generation.require(query.by);
      const url = canonicalParameter('url', query.url);
      const hash = textHash(
        `${url} ${questionKey(LIST_FILTERS, narrowing)} ${JSON.stringify([heading, missing, query.cards])}`,
      );
      const make = (view: Generation) => {
        const list =
          missing === '200' && view.catalog.find(url) < 0
            ? notIndexed(view)
            : pageList(view, locate(view, url), narrowing, 0);
        return relatedHtml(view, list, narrowing.cards, heading);
      };
      // Other sites may show the fragment in a frame; it holds nothing to click into doing something.
      reply.removeHeader('x-frame-options');
      const images = query.cards ? 'img-src https: http:; ' : '';
      reply.header('content-security-policy', `default-src 'none'; ${images}frame-ancestors *`);
      const type = 'text/html; charset=utf-8';
      return generation.withLinks(query.by, () =>
        replyCached(request, reply, generation, hash, `-${query.limit}-html`, make, type),
      );
    },
  );
}
