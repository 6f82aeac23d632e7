/** Judgements of answers. */

import { pageList } from '../../answers/lists/related.ts';
import { subjectPage } from '../../answers/lists/selection/page-filter.ts';
import { canonicalParameter, locate } from '../../answers/pages/locate.ts';
import { type PostedBody, parseJson } from '../../http/body.ts';
import { checkedUrl } from '../../http/checked-url.ts';
import { Problem, shortened } from '../../http/problems/problem.ts';
import { parameterReader } from '../../http/question/parameter-reader.ts';
import type { Reads } from '../../reads/reads.ts';
import { type FeedbackAnswer, FeedbackSchema } from '../../schemas/answers/feedback-answers.ts';
import { FeedbackBody, type FeedbackQuery } from '../../schemas/parameters/bodies.ts';
import { PLAIN_LIST } from '../../schemas/parameters/list-parameters.ts';
import { type Gone, type Question, route, type Said, type Service } from '../route/route.ts';

const readBody = parameterReader(FeedbackBody, 'body');

/** Judgements are looked for as far as the longest list goes. */
const MOST_LISTED = 100;
const ADVICE = 'only pages of the index are judged';

export interface FeedbackOptions {
  /** A judgement that would make the file longer is refused. */
  readonly maxBytes: number;
  /** Judgements a minute of one address. */
  readonly perMinute: number;
}

export const FEEDBACK_ROUTES = {
  feedback: route({
    method: 'POST',
    path: '/feedback',
    summary: 'Says that a related page should stand higher or lower',
    tag: 'look-ups',
    query: {},
    body: { 'application/json': FeedbackBody },
    bodyLimit: 16 * 1024,
    answers: FeedbackSchema,
    says: 'The judgement as it was kept: it is on the disk. It changes no list; `akin evaluate --feedback` reads it.',
    problems: [404, 413, 415, 507],
    cost: 'feedback',
    answer: (reads, { body }) => judged(reads, readJudgement(body)),
    act: keptJudgement,
  }),
};

/** A judgement of an answer, kept in a file beside the index; a null log refuses it. */
async function keptJudgement(
  { holder, feedback, ask }: Service,
  question: Question<object>,
  gone: Gone,
): Promise<Said> {
  if (feedback === null) {
    throw new Problem('feedback-off', 'this service takes no feedback; akin serve --feedback turns it on');
  }
  const generation = holder.current();
  generation.facts.require(readJudgement(question.body).by);
  const said = await ask(generation, 'feedback', question, gone);
  if (!(await feedback.append(said.value as FeedbackAnswer))) {
    throw new Problem(
      'feedback-full',
      'the file of feedback, or its disk, has no room left; its operator can move it away',
    );
  }
  return said;
}

function readJudgement(body: PostedBody | null): FeedbackQuery {
  return readBody(parseJson(body)) as FeedbackQuery;
}

/** A judgement, and where the page stands in the list that is judged. */
async function judged(reads: Reads, { by, judgement, ...urls }: FeedbackQuery): Promise<FeedbackAnswer> {
  const [pageId, relatedId] = [
    await pageOf(reads, 'url', urls.url),
    await pageOf(reads, 'related_url', urls.related_url),
  ];
  if (pageId === relatedId) {
    throw new Problem('invalid-body', 'related_url: is the same page as url', {
      errors: [
        {
          parameter: 'related_url',
          detail: 'is the same page as url',
          received: shortened(urls.related_url),
          allowed: 'another page of the index',
        },
      ],
    });
  }
  const subject = await subjectPage(reads, pageId);
  const [{ items }, page, related] = await Promise.all([
    pageList({ reads, narrowing: { ...PLAIN_LIST, by, limit: MOST_LISTED }, offset: 0 }, subject),
    reads.page(pageId),
    reads.page(relatedId),
  ]);
  const place = items.findIndex(({ url }) => url === related.url);
  return {
    at: new Date().toISOString(),
    generation: reads.facts.id,
    by,
    url: checkedUrl(page.url),
    related_url: checkedUrl(related.url),
    judgement,
    rank: place < 0 ? null : place + 1,
  };
}

/** Id of the page that a member of the body names. Errors  Problem `invalid-body`, or as `locate`, of that member. */
async function pageOf(reads: Reads, name: string, value: string): Promise<number> {
  try {
    return await locate(reads, canonicalParameter(name, value), ADVICE);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, errors, nearest, headers } = error;
    throw new Problem(code === 'invalid-parameters' ? 'invalid-body' : code, message, {
      ...(errors && { errors: errors.map((one) => ({ ...one, parameter: name })) }),
      ...(nearest && { nearest }),
      headers,
      cause: error,
    });
  }
}
