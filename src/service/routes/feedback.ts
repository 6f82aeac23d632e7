/** Judgements of answers. */
import type { FeedbackLog } from '../../store/feedback-log.ts';
import { pageList } from '../answers/lists/related.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import type { Generation } from '../held/generation.ts';
import { checkedUrl } from '../held/stored-catalog.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { parameterReader } from '../http/parameter-reader.ts';
import { Problem } from '../http/problem.ts';
import { FeedbackBody, type FeedbackQuery } from '../schemas/bodies.ts';
import { type FeedbackAnswer, FeedbackSchema } from '../schemas/feedback-answers.ts';
import { PLAIN_LIST } from '../schemas/list-parameters.ts';
import { route, type Said } from './route.ts';

const readBody = parameterReader(FeedbackBody, 'body');

/** Judgements are looked for as far as the longest list goes. */
const MOST_LISTED = 100;

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
    act: ({ holder, feedback }, { body }) => keptJudgement(holder.current(), feedback, body),
  }),
};

/** A judgement of an answer, kept in a file beside the index; a null `log` refuses it. */
async function keptJudgement(
  generation: Generation,
  log: FeedbackLog | null,
  body: PostedBody | null,
): Promise<Said> {
  if (log === null) {
    throw new Problem('feedback-off', 'this service takes no feedback; akin serve --feedback turns it on');
  }
  const query = readBody(parseJson(body)) as FeedbackQuery;
  generation.require(query.by);
  const { value: entry, lost } = await generation.withLinks(query.by, () =>
    generation.settle((view) => judged(view, query)),
  );
  if (!(await log.append(entry))) {
    throw new Problem(
      'feedback-full',
      'the file of feedback, or its disk, has no room left; its operator can move it away',
    );
  }
  return { value: JSON.stringify(entry), lost };
}

/** A judgement, and where the page stands in the list that is judged. */
function judged(generation: Generation, { by, judgement, ...urls }: FeedbackQuery): FeedbackAnswer {
  const [pageId, relatedId] = (['url', 'related_url'] as const).map((name) =>
    locate(generation, bodyUrl(name, urls[name]), 'only pages of the index are judged'),
  ) as [number, number];
  if (pageId === relatedId) {
    throw new Problem('invalid-body', 'related_url: is the same page as url', {
      errors: [
        {
          parameter: 'related_url',
          detail: 'is the same page as url',
          received: urls.related_url.slice(0, 200),
          allowed: 'another page of the index',
        },
      ],
    });
  }
  return {
    at: new Date().toISOString(),
    generation: generation.id,
    by,
    url: checkedUrl(generation.reader.page(pageId).url),
    related_url: checkedUrl(generation.reader.page(relatedId).url),
    judgement,
    rank: rankOf(
      pageList(generation, pageId, { ...PLAIN_LIST, by, limit: MOST_LISTED }, 0).pageIds(),
      relatedId,
    ),
  };
}

/** The same as `canonicalParameter`, of a body. */
function bodyUrl(name: string, value: string): string {
  try {
    return canonicalParameter(name, value);
  } catch (error) {
    const { message, errors } = error as Problem;
    throw new Problem('invalid-body', message, { ...(errors && { errors }) });
  }
}

function rankOf(pageIds: readonly number[], pageId: number): number | null {
  const place = pageIds.indexOf(pageId);
  return place < 0 ? null : place + 1;
}
