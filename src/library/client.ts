/**
 * A client of the HTTP service, for browsers and programs: `fetch` and nothing else.
 *
 *   const akin = connect('https://search.example.org/akin');
 *   const { related } = await akin.related('https://example.org/roses', { limit: 5 });
 */

import type { BatchOptions, RelatedBatchAnswer } from './generated.ts';
import { type QuestionName, type Questions, questionsOf } from './questions.ts';
import { type ClientOptions, requester } from './request.ts';

export { type ClientOptions, ServiceError } from './request.ts';

/** Paths of the questions that are not asked at their own name. */
const PATHS: Readonly<Partial<Record<QuestionName | 'relatedBatch', string>>> = {
  relatedBatch: 'related/batch',
  suggest: 'search/suggest',
  clusterById: 'clusters/:id',
  sitePages: 'pages',
};

export interface Client extends Questions {
  /** Pages related to each of up to 100 pages: in their order the answer, or the problem, of each. */
  relatedBatch(urls: readonly string[], options?: BatchOptions): Promise<RelatedBatchAnswer>;
}

/** Errors  of every method: ServiceError, and what `fetch` throws where there is no answer. */
export function connect(address: string, options: ClientOptions = {}): Client {
  const request = requester(address, options);
  const ask = async (
    name: QuestionName | 'relatedBatch',
    given: Readonly<Record<string, unknown>>,
    body?: unknown,
  ): Promise<unknown> => {
    const posted = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return (await request(PATHS[name] ?? name, given, body === undefined ? undefined : posted)).json();
  };
  return {
    ...questionsOf(ask),
    relatedBatch: (urls, more) => ask('relatedBatch', {}, { urls, ...more }) as Promise<RelatedBatchAnswer>,
  };
}
