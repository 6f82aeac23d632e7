import type { Static } from 'typebox';
import { Type } from '../../../lib/json-schema.ts';
import { exact, listOf, ref } from '../fields.ts';

export const ParameterFaultSchema = exact('ParameterFault', {
  parameter: Type.String(),
  detail: Type.String(),
  received: Type.Unknown({
    description:
      'What came, as it is read, cut where it is long, of vectors their names; null where nothing came.',
  }),
  allowed: Type.Unknown({ description: 'What is allowed, in words or as a list.' }),
});

export const ProblemSchema = exact(
  'Problem',
  {
    type: Type.String({ description: 'A relative URI that ends in the code.' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String({ description: 'The request that met the problem.' }),
    code: Type.String(),
    errors: Type.Optional(Type.Array(ref(ParameterFaultSchema))),
    nearest: Type.Optional(
      listOf(
        Type.String(),
        'For page-not-indexed: pages of the index whose URLs are nearest, of the same host; at most three.',
      ),
    ),
  },
  {
    description: 'RFC 9457 problem details.',
    examples: [
      {
        type: '/problems/page-not-indexed',
        title: 'The page is not in the index',
        status: 404,
        detail:
          'https://example.org/new is not in the index; near to it are https://example.org/news/; POST /similar finds what is related to its content',
        instance: '/related?url=https%3A%2F%2Fexample.org%2Fnew',
        code: 'page-not-indexed',
        nearest: ['https://example.org/news/'],
      },
    ],
  },
);

/** One thing wrong with a request: what it is about, what came and what is allowed. */
export type ParameterFaultAnswer = Static<typeof ParameterFaultSchema>;
/** Any answer from status 400 on. */
export type ProblemAnswer = Static<typeof ProblemSchema>;
