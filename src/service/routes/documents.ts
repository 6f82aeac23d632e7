import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { postedAnswer } from '../answers/posted.ts';
import type { DocumentJob } from '../held/document-threads.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import type { PostedBody } from '../http/body.ts';
import { replyUncached } from '../http/reply.ts';
import {
  CompareBody,
  CompareParameters,
  GroupBody,
  NoParameters,
  SimilarBody,
  SimilarParameters,
} from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';

const MEBIBYTE = 2 ** 20;

const SIMILAR_BODY = {
  'application/json': SimilarBody,
  'text/html': Type.String({ description: 'The document itself.' }),
  'text/plain': Type.String({ description: 'The document itself.' }),
};

/** POST /similar, /compare and /group: documents that the index has never seen, each answered on a thread. */
export function documentRoutes(app: FastifyInstance, holder: GenerationHolder): void {
  const answer =
    (kind: DocumentJob['kind']) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const body = (request.body as PostedBody | undefined) ?? null;
      const job = { kind, query: request.query as object, body };
      return replyUncached(reply, await holder.current().answerDocument(job, postedAnswer));
    };

  app.post(
    '/similar',
    postRoute({
      id: 'similar',
      summary: 'Pages related to a document the index has never seen',
      tag: 'documents',
      query: SimilarParameters,
      body: SIMILAR_BODY,
      bodyLimit: 4 * MEBIBYTE,
      response: answers(
        'Similar',
        'The list, the terms of the document, and where it would fall.',
        [404, 410, 413, 415],
      ),
    }),
    answer('similar'),
  );

  app.post(
    '/compare',
    postRoute({
      id: 'compare',
      summary: 'How alike two texts are, and the passages they share',
      tag: 'documents',
      query: CompareParameters,
      body: { 'application/json': CompareBody },
      bodyLimit: 2 * MEBIBYTE,
      response: answers(
        'Comparison',
        'Topic similarity, resemblance, containment both ways and the shared passages.',
        [404, 413, 415],
      ),
    }),
    answer('compare'),
  );

  app.post(
    '/group',
    postRoute({
      id: 'group',
      summary: 'A list of results with its copies folded together',
      tag: 'documents',
      query: NoParameters,
      body: { 'application/json': GroupBody },
      bodyLimit: 4 * MEBIBYTE,
      response: answers('Groups', 'The groups in the order of their first results.', [413, 415]),
    }),
    answer('group'),
  );
}
