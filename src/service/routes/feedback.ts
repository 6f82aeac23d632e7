import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FeedbackLog, feedbackPathOf } from '../../store/feedback-log.ts';
import { pageList } from '../answers/lists/related.ts';
import { canonicalParameter, locate } from '../answers/pages/locate.ts';
import type { Generation } from '../held/generation.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { checkedUrl } from '../held/stored-catalog.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { parameterReader } from '../http/parameter-reader.ts';
import { Problem } from '../http/problem.ts';
import { replyUncached } from '../http/reply.ts';
import type { FeedbackAnswer } from '../schemas/feedback-answers.ts';
import { FeedbackBody, type FeedbackQuery, PLAIN_LIST } from '../schemas/list-parameters.ts';
import { NoParameters } from '../schemas/parameters.ts';
import { answers, postRoute } from '../schemas/route-schema.ts';

const BODY_BYTES = 16 * 1024;

/** Judgements are looked for as far as the longest list goes. */
const MOST_LISTED = 100;

export interface FeedbackOptions {
  /** A judgement that would make the file longer is refused. */
  readonly maxBytes: number;
  /** Judgements a minute of one address. */
  readonly perMinute: number;
}

/** POST /feedback: a judgement of an answer, kept in a file beside the index. Null `options` refuse it. */
export function feedbackRoute(
  app: FastifyInstance,
  holder: GenerationHolder,
  indexPath: string,
  options: FeedbackOptions | null,
): void {
  const readBody = parameterReader(FeedbackBody, 'body');
  let log: FeedbackLog | undefined;
  if (options !== null) {
    app.addHook('onReady', async () => {
      log = await FeedbackLog.open(feedbackPathOf(indexPath), options.maxBytes);
    });
  }
  const route = postRoute({
    id: 'feedback',
    summary: 'Says that a related page should stand higher or lower',
    tag: 'look-ups',
    query: NoParameters,
    body: { 'application/json': FeedbackBody },
    bodyLimit: BODY_BYTES,
    response: answers(
      'Feedback',
      'The judgement as it was kept: it is on the disk. It changes no list; `akin evaluate --feedback` reads it.',
      [404, 413, 415, 507],
    ),
  });
  app.post(
    '/feedback',
    { ...route, config: { ...route.config, isFeedback: true } },
    async (request: FastifyRequest, reply) => {
      if (log === undefined) {
        throw new Problem(
          'feedback-off',
          'this service takes no feedback; akin serve --feedback turns it on',
        );
      }
      const query = readBody(parseJson(request.body as PostedBody | undefined)) as FeedbackQuery;
      const generation = holder.current();
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
      return replyUncached(reply, { value: JSON.stringify(entry), lost });
    },
  );
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
