import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type GivenResult, groupAnswer } from '../answers/group.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { parameterReader, readInside } from '../http/parameter-reader.ts';
import { replyUncached } from '../http/reply.ts';
import { GroupBody, GroupResult, NoParameters } from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';

const BODY_BYTES = 4 * 1024 * 1024;

/** POST /group: a ranked list with its copies folded together. */
export function groupRoute(app: FastifyInstance, holder: GenerationHolder): void {
  const readBody = parameterReader(GroupBody, 'body');
  const readResult = parameterReader(GroupResult, 'body');
  app.post(
    '/group',
    postRoute({
      id: 'group',
      summary: 'A list of results with its copies folded together',
      tag: 'documents',
      query: NoParameters,
      body: { 'application/json': GroupBody },
      bodyLimit: BODY_BYTES,
      response: answers('Groups', 'The groups in the order of their first results.', [400, 413, 415]),
    }),
    (request: FastifyRequest, reply) => {
      const { results, threshold } = readBody(request.body);
      const given = results.map(
        (result, i): GivenResult =>
          typeof result === 'string' ? { url: result } : readInside(`results[${i}]`, readResult, result),
      );
      return replyUncached(reply, JSON.stringify(groupAnswer(holder.current(), given, threshold)));
    },
  );
}
