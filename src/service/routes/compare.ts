import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compareAnswer } from '../answers/compare.ts';
import { type ComparedText, postedText, storedText } from '../answers/compared-text.ts';
import type { Generation } from '../held/generation.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { parameterReader, readInside } from '../http/parameter-reader.ts';
import { replyUncached } from '../http/reply.ts';
import { CompareBody, CompareParameters, SimilarBody, type SimilarDocument } from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';
import { documentOfBody, locateDocument } from './posted-document.ts';

const BODY_BYTES = 2 * 1024 * 1024;

/** POST /compare: two texts, each a page of the index or a document. */
export function compareRoute(app: FastifyInstance, holder: GenerationHolder): void {
  const readBody = parameterReader(CompareBody, 'body');
  const readDocument = parameterReader(SimilarBody, 'body');
  app.post(
    '/compare',
    postRoute({
      id: 'compare',
      summary: 'How alike two texts are, and the passages they share',
      tag: 'documents',
      query: CompareParameters,
      body: { 'application/json': CompareBody },
      bodyLimit: BODY_BYTES,
      response: answers(
        'Comparison',
        'Topic similarity, resemblance, containment both ways and the shared passages.',
        [400, 404, 413, 415],
      ),
    }),
    (request: FastifyRequest, reply) => {
      const { include_text: includeText } = request.query as { include_text: boolean };
      const body = readBody(request.body);
      const generation = holder.current();
      const [a, b] = (['a', 'b'] as const).map((side) =>
        readInside(side, (input) => textOf(generation, readDocument(input)), body[side]),
      ) as [ComparedText, ComparedText];
      return replyUncached(reply, JSON.stringify(compareAnswer(generation, a, b, includeText)));
    },
  );
}

function textOf(generation: Generation, body: SimilarDocument): ComparedText {
  const document = documentOfBody(body);
  return typeof document === 'string'
    ? storedText(generation, locateDocument(generation, document))
    : postedText(generation, document);
}
