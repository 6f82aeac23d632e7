import { setImmediate as nextTurn } from 'node:timers/promises';
import { COPY } from '../../relations/copy.ts';
import { relatedAnswer } from '../answers/lists/related.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import { postedAnswer } from '../answers/posted.ts';
import type { Generation } from '../held/generation.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { asProblem } from '../http/error-reply.ts';
import { parameterReader } from '../http/parameter-reader.ts';
import { PROBLEMS, problemBody } from '../http/problem.ts';
import { normalized, questionHash } from '../http/question.ts';
import { BatchBody, type BatchQuery } from '../schemas/bodies.ts';
import type { GroupAnswer } from '../schemas/copy-answers.ts';
import { LIST_FILTERS } from '../schemas/list-filters.ts';
import { RELATED } from '../schemas/list-parameters.ts';
import type { Said } from './route.ts';

const readBody = parameterReader(BatchBody, 'body');
/** Longest time that a batch keeps other requests waiting. */
const SLICE_MS = 10;

/** The answers for up to 100 pages of one generation, each as GET /related gives it. */
export async function relatedBatch(generation: Generation, body: PostedBody | null): Promise<Said> {
  const query = normalized(LIST_FILTERS, readBody(parseJson(body)) as BatchQuery);
  generation.require(query.by);
  const results: string[] = [];
  const lost = new Set<number>();
  let groups = '';
  generation.lease();
  try {
    await generation.withLinks(query.by, () => {});
    let startedMs = performance.now();
    for (const url of query.urls) {
      const result = await generation.settle((view) => resultFor(view, url, query));
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
  return { value, lost: [...lost].sort((a, b) => a - b) };
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

function resultFor(generation: Generation, given: string, query: BatchQuery): string {
  try {
    const url = canonicalParameter('url', given);
    const hash = questionHash('related', RELATED, { ...query, url });
    return relatedAnswer(generation, locate(generation, url), query, 0, hash).toString();
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
