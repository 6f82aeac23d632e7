import { setImmediate as nextTurn } from 'node:timers/promises';
import { COPY } from '../../relations/copy.ts';
import { relatedAnswer } from '../answers/lists/related.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import { postedAnswer } from '../answers/posted.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { asProblem } from '../http/error-reply.ts';
import { PROBLEMS, problemBody } from '../http/problems/problem.ts';
import { parameterReader } from '../http/question/parameter-reader.ts';
import { normalized, questionHash } from '../http/question/question.ts';
import type { Answered } from '../http/reply.ts';
import type { Generation } from '../index/generation.ts';
import type { Reads } from '../reads/reads.ts';
import { BatchBody, type BatchQuery } from '../schemas/bodies.ts';
import type { GroupAnswer } from '../schemas/copy-answers.ts';
import type { RelatedBatchAnswer } from '../schemas/list-answers.ts';
import { LIST_FILTERS } from '../schemas/list-filters.ts';
import { RELATED } from '../schemas/list-parameters.ts';
import type { Said } from './route.ts';

const readBody = parameterReader(BatchBody, 'body');
/** Longest time that a batch keeps other requests waiting. */
const SLICE_MS = 10;

/** The answers for up to 100 pages of one generation, each as GET /related gives it. */
export async function relatedBatch(generation: Generation, body: PostedBody | null): Promise<Said> {
  const query = normalized(LIST_FILTERS, readBody(parseJson(body)) as BatchQuery);
  generation.facts.require(query.by);
  const results: RelatedBatchAnswer['results'] = [];
  const lost = new Set<number>();
  const take = <Value>(answer: Answered<Value>): Value => {
    for (const shard of answer.lost) lost.add(shard);
    return answer.value;
  };
  generation.lease();
  try {
    let startedMs = performance.now();
    for (const url of query.urls) {
      results.push(take(await generation.answer((reads) => resultFor(reads, url, query))));
      if (performance.now() - startedMs > SLICE_MS) {
        await nextTurn();
        startedMs = performance.now();
      }
    }
    const groups = query.group && { groups: take(await groupsOf(generation, query.urls)) };
    const value: RelatedBatchAnswer = { results, ...groups };
    return { value, lost: [...lost].sort((a, b) => a - b) };
  } finally {
    generation.release();
  }
}

/** `groups` of POST /group; null where the index holds no copies. */
async function groupsOf(
  generation: Generation,
  urls: readonly string[],
): Promise<Answered<GroupAnswer['groups'] | null>> {
  if (!generation.facts.holds(COPY.name)) return { value: null, lost: [] };
  const bytes = new TextEncoder().encode(JSON.stringify({ results: urls }));
  const body = { mediaType: 'application/json', charset: null, bytes };
  const { value, lost } = await generation.answerAside({ kind: 'group', query: {}, body }, postedAnswer);
  return { value: (value as GroupAnswer).groups, lost };
}

async function resultFor(
  reads: Reads,
  given: string,
  query: BatchQuery,
): Promise<RelatedBatchAnswer['results'][number]> {
  try {
    const url = canonicalParameter('url', given);
    const hash = questionHash('related', RELATED, { ...query, url });
    return await relatedAnswer(reads, await locate(reads, url), query, 0, hash);
  } catch (error) {
    const problem = asProblem(error);
    // A part of the index that is missing is missing for its URLs alone.
    if (PROBLEMS[problem.code].status >= 500 && problem.code !== 'shard-unavailable') throw error;
    return { url: given, error: problemBody(problem, `/related?url=${encodeURIComponent(given)}`) };
  }
}
