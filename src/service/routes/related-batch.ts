import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COPY } from '../../relations/copy.ts';
import { relatedAnswer } from '../answers/lists/related.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import { postedAnswer } from '../answers/posted.ts';
import type { Generation } from '../held/generation.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { asProblem } from '../http/error-reply.ts';
import { parameterReader } from '../http/parameter-reader.ts';
import { PROBLEMS, problemBody } from '../http/problem.ts';
import { questionKey } from '../http/question.ts';
import { replyUncached } from '../http/reply.ts';
import { textHash } from '../http/request-key.ts';
import type { GroupAnswer } from '../schemas/copy-answers.ts';
import { LIST_FILTERS } from '../schemas/list-filters.ts';
import { BatchBody, type BatchQuery } from '../schemas/list-parameters.ts';
import { NoParameters } from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';

const BODY_BYTES = 512 * 1024;
/** Longest time that a batch keeps other requests waiting. */
const SLICE_MS = 10;

/** POST /related/batch: the answers for up to 100 pages of one generation, each as GET /related gives it. */
export function relatedBatchRoute(app: FastifyInstance, holder: GenerationHolder): void {
  const readBody = parameterReader(BatchBody, 'body');
  app.post(
    '/related/batch',
    postRoute({
      id: 'relatedBatch',
      summary: 'Pages related to each of up to 100 pages',
      tag: 'look-ups',
      query: NoParameters,
      body: { 'application/json': BatchBody },
      bodyLimit: BODY_BYTES,
      response: answers(
        'RelatedBatch',
        'In the order of the URLs, each an answer of GET /related or its problem.',
        [413, 415],
      ),
    }),
    async (request: FastifyRequest, reply) => {
      const query = readBody(parseJson(request.body as PostedBody | undefined)) as BatchQuery;
      const generation = holder.current();
      generation.require(query.by);
      const key = questionKey(LIST_FILTERS, query);
      const results: string[] = [];
      const lost = new Set<number>();
      let groups = '';
      generation.lease();
      try {
        await generation.withLinks(query.by, () => {});
        let startedMs = performance.now();
        for (const url of query.urls) {
          const result = await generation.settle((view) => resultFor(view, url, query, key));
          results.push(result.value);
          for (const shard of result.lost) lost.add(shard);
          if (performance.now() - startedMs > SLICE_MS) {
            await nextTurn();
            startedMs = performance.now();
          }
        }
        if (query.group) groups = `,"groups":${await groupsOf(generation, query.urls, lost)}`;
      } finally {
        generation.release();
      }
      const value = `{"results":[${results.join(',')}]${groups}}`;
      return replyUncached(reply, { value, lost: [...lost].sort((a, b) => a - b) });
    },
  );
}

/** `groups` of POST /group; null where the index holds no copies. */
async function groupsOf(generation: Generation, urls: readonly string[], lost: Set<number>): Promise<string> {
  if (!generation.holds(COPY.name)) return 'null';
  const bytes = new TextEncoder().encode(JSON.stringify({ results: urls }));
  const body = { mediaType: 'application/json', charset: null, bytes };
  const answer = await generation.answerDocument({ kind: 'group', query: {}, body }, postedAnswer);
  for (const shard of answer.lost) lost.add(shard);
  return JSON.stringify((JSON.parse(answer.value) as GroupAnswer).groups);
}

function resultFor(generation: Generation, given: string, query: BatchQuery, key: string): string {
  try {
    const url = canonicalParameter('url', given);
    return relatedAnswer(generation, locate(generation, url), query, 0, textHash(`${url} ${key}`)).toString();
  } catch (error) {
    const problem = asProblem(error);
    // A part of the index that is missing is missing for its URLs alone.
    if (PROBLEMS[problem.code].status >= 500 && problem.code !== 'shard-unavailable') throw error;
    return JSON.stringify({
      url: given,
      error: problemBody(problem, `/related?url=${encodeURIComponent(given)}`),
    });
  }
}
