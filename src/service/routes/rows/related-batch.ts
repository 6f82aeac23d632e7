import { setImmediate as nextTurn } from 'node:timers/promises';
import { COPY } from '../../../relations/copy.ts';
import { canonicalParameter } from '../../answers/pages/locate.ts';
import { parseJson } from '../../http/body.ts';
import { asProblem } from '../../http/hooks/error-reply.ts';
import { PROBLEMS, Problem, problemBody } from '../../http/problems/problem.ts';
import { parameterReader } from '../../http/question/parameter-reader.ts';
import { inFull, normalized, questionHash } from '../../http/question/question.ts';
import type { Generation } from '../../index/generation.ts';
import { IN_PLACE_US, Work } from '../../reads/work.ts';
import type { GroupAnswer } from '../../schemas/answers/copy-answers.ts';
import type { RelatedAnswer, RelatedBatchAnswer } from '../../schemas/answers/list-answers.ts';
import { BatchBody, type BatchQuery } from '../../schemas/parameters/bodies.ts';
import { onlyPage } from '../../schemas/parameters/excluded.ts';
import { LIST_FILTERS } from '../../schemas/parameters/list-filters.ts';
import { RELATED } from '../../schemas/parameters/list-parameters.ts';
import type { Gone, Question, Said, Service } from '../route/route.ts';

const readBody = parameterReader(BatchBody, 'body');
/** Longest time that a batch keeps other requests waiting, where no thread is needed. */
const SLICE_MS = 10;

/**
 * The answers for up to 100 pages of one generation, each as GET /related gives it. All of them may do together on the event
 * loop what one question may; from there on each is made on a thread, one after another, so that the questions of others have
 * their turns between them.
 */
export async function relatedBatch(
  { holder, ask }: Service,
  { body }: Question<object>,
  gone: Gone,
  _headers: unknown,
  base: string,
): Promise<Said> {
  const generation = holder.current();
  const given = readBody(inFull(LIST_FILTERS, parseJson(body))) as BatchQuery;
  // What is asked about is a page, whatever stands in its URL.
  const exclude = given.exclude.map((one) => (given.urls.includes(one) ? onlyPage(one) : one));
  const query = normalized(LIST_FILTERS, { ...given, exclude });
  generation.facts.require(query.by);
  const work = new Work(IN_PLACE_US);
  const left = gone();
  const lost = new Set<number>();
  const lacks = (shards: readonly number[]) => {
    for (const shard of shards) lost.add(shard);
  };
  const asked = async (route: string, question: Question<object>): Promise<unknown> => {
    const answer = await ask(generation, route, question, () => left, work).catch((error: unknown) => {
      lacks(error instanceof Problem ? error.lostShards : []);
      throw error;
    });
    lacks(answer.lost);
    return answer.value;
  };
  const results: RelatedBatchAnswer['results'] = [];
  generation.lease();
  try {
    let startedMs = performance.now();
    for (const url of query.urls) {
      results.push(await resultFor(asked, url, query, base));
      if (left.aborted) break;
      if (performance.now() - startedMs > SLICE_MS) {
        await nextTurn();
        startedMs = performance.now();
      }
    }
    const groups = query.group && { groups: await groupsOf(generation, asked, query.urls) };
    const value: RelatedBatchAnswer = { results, ...groups };
    return { value, lost: [...lost].sort((a, b) => a - b) };
  } finally {
    generation.release();
  }
}

type Asked = (route: string, question: Question<object>) => Promise<unknown>;

/** `groups` of POST /group; null where the index holds no copies. */
async function groupsOf(
  { facts }: Generation,
  asked: Asked,
  urls: readonly string[],
): Promise<GroupAnswer['groups'] | null> {
  if (!facts.holds(COPY.name)) return null;
  const bytes = new TextEncoder().encode(JSON.stringify({ results: urls }));
  const body = { mediaType: 'application/json', charset: null, bytes };
  return ((await asked('group', { query: {}, offset: 0, hash: '', body })) as GroupAnswer).groups;
}

async function resultFor(
  asked: Asked,
  given: string,
  batch: BatchQuery,
  base: string,
): Promise<RelatedBatchAnswer['results'][number]> {
  try {
    const query = { ...batch, url: canonicalParameter('url', given) };
    const question = { query, offset: 0, hash: questionHash('related', RELATED, query), body: null };
    return (await asked('related', question)) as RelatedAnswer;
  } catch (error) {
    const problem = asProblem(error);
    // A part of the index that is missing is missing for its URLs alone.
    if (PROBLEMS[problem.code].status >= 500 && problem.code !== 'shard-unavailable') throw error;
    return {
      url: given,
      error: problemBody(problem, `${base}/related?url=${encodeURIComponent(given.toWellFormed())}`),
    };
  }
}
