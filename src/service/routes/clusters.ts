import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clusterByKey, clusterList, clusterOfPage } from '../answers/clusters/cluster.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { replyCached } from '../http/reply.ts';
import { readCursor, textHash } from '../http/request-key.ts';
import { EXAMPLE_CLUSTER } from '../schemas/fields.ts';
import {
  ClusterListParameters,
  type ClusterListQuery,
  ClusterMemberParameters,
  ClusterParameters,
  type ClusterQuery,
  type ListQuery,
} from '../schemas/parameters.ts';
import { answers, getRoute } from '../schemas/route-schema.ts';

/** GET /cluster, /clusters and /clusters/{id}. */
export function clusterRoutes(app: FastifyInstance, holder: GenerationHolder): void {
  app.get(
    '/cluster',
    getRoute({
      id: 'cluster',
      summary: "A page's cluster, and the broader topics it lies in",
      tag: 'clusters',
      query: ClusterParameters,
      response: answers(
        'ClusterOfPage',
        'The finest cluster with its members, and all levels, fine to broad.',
        [404, 410],
      ),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as ClusterQuery;
      const generation = holder.current();
      generation.require(query.by);
      const url = canonicalParameter('url', query.url);
      const hash = textHash(`cluster ${query.by} ${query.clustering ?? ''} ${url}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      return replyCached(request, reply, generation, hash, `-${query.limit}-${offset}`, (view) =>
        JSON.stringify(clusterOfPage(view, locate(view, url), query, offset, hash)),
      );
    },
  );

  app.get(
    '/clusters',
    getRoute({
      id: 'clusters',
      summary: 'All clusters of a level, or of a clustering of copies',
      tag: 'clusters',
      query: ClusterListParameters,
      response: answers(
        'ClusterList',
        'Largest first, what was read before what is known by links alone; or by label.',
        [410],
      ),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as ClusterListQuery;
      const generation = holder.current();
      const hash = textHash(`clusters ${query.by} ${query.clustering ?? ''} ${query.sort} ${query.level}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      return replyCached(request, reply, generation, hash, `-${query.limit}-${offset}`, (view) =>
        JSON.stringify(clusterList(view, query, offset, hash)),
      );
    },
  );

  app.get(
    '/clusters/:id',
    getRoute({
      id: 'clusterById',
      summary: 'One cluster and its members',
      tag: 'clusters',
      query: ClusterMemberParameters,
      pathParameters: {
        id: { description: 'The id of the cluster, as an answer gave it.', examples: [EXAMPLE_CLUSTER] },
      },
      response: answers('Cluster', 'The center first, then the members nearest to it.', [404, 410]),
    }),
    (request: FastifyRequest, reply: FastifyReply) => {
      const query = request.query as ListQuery;
      const { id } = request.params as { id: string };
      const generation = holder.current();
      const hash = textHash(`cluster-id ${id}`);
      const offset = readCursor(query.cursor, generation.id, hash);
      return replyCached(request, reply, generation, hash, `-${query.limit}-${offset}`, (view) =>
        JSON.stringify(clusterByKey(view, id, query, offset, hash)),
      );
    },
  );
}
