/**
 * A client of the HTTP service, for browsers and programs: `fetch` and nothing else.
 *
 *   const akin = connect('https://search.example.org/akin');
 *   const { related } = await akin.related('https://example.org/roses', { limit: 5 });
 */

import type { BatchOptions, Problem, RelatedBatchAnswer } from './generated.ts';
import { type QuestionName, type Questions, questionsOf } from './questions.ts';

/** Paths of the questions that are not asked at their own name. */
const PATHS: Readonly<Partial<Record<QuestionName | 'relatedBatch', string>>> = {
  relatedBatch: 'related/batch',
  suggest: 'search/suggest',
  clusterById: 'clusters/:id',
  sitePages: 'pages',
};

/** A request that the service refused; `code` is that of the problem (docs/errors.md), as `page-not-indexed`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: string;
  readonly status: number;
  /** The whole problem; null where the answer was none, as of a proxy. */
  readonly problem: Problem | null;

  constructor(status: number, problem: Problem | null) {
    super(problem?.detail ?? `the service answered ${status}`);
    this.code = problem?.code ?? 'no-problem';
    this.status = status;
    this.problem = problem;
  }
}

export interface Client extends Questions {
  /** Pages related to each of up to 100 pages: in their order the answer, or the problem, of each. */
  relatedBatch(urls: readonly string[], options?: BatchOptions): Promise<RelatedBatchAnswer>;
}

export interface ClientOptions {
  /** Default that of the platform. */
  readonly fetch?: typeof fetch;
  /** Sent with each request, such as an `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends requests that take longer, and those whose caller has lost interest. */
  readonly signal?: AbortSignal;
}

/** Errors  of every method: ServiceError, and what `fetch` throws where there is no answer. */
export function connect(address: string, options: ClientOptions = {}): Client {
  const { fetch: send = fetch, headers, signal } = options;
  const ask = async (
    name: QuestionName | 'relatedBatch',
    given: Readonly<Record<string, unknown>>,
    body?: unknown,
  ): Promise<unknown> => {
    const path = PATHS[name] ?? name;
    const { id, ...values } = given;
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(values)) {
      for (const one of [value ?? []].flat()) query.append(key, String(one));
    }
    const url = `${address.replace(/\/$/, '')}/${path.replace(':id', encodeURIComponent(String(id)))}`;
    const posted = body !== undefined && { method: 'POST', body: JSON.stringify(body) };
    const answer = await send(query.size > 0 ? `${url}?${query}` : url, {
      ...posted,
      headers: { ...(posted && { 'content-type': 'application/json' }), ...headers },
      ...(signal && { signal }),
    });
    if (answer.ok) return answer.json();
    const problem = (await answer.json().catch(() => null)) as Problem | null;
    throw new ServiceError(answer.status, problem);
  };
  return {
    ...questionsOf(ask),
    relatedBatch: (urls, more) => ask('relatedBatch', {}, { urls, ...more }) as Promise<RelatedBatchAnswer>,
  };
}
