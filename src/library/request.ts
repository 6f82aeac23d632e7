/** One request to the HTTP service, and its answer or its problem: what the clients have in common. */
import type { Problem } from './generated.ts';

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

export interface ClientOptions {
  /** Default that of the platform. */
  readonly fetch?: typeof fetch;
  /** Sent with each request, such as an `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends requests that take longer, and those whose caller has lost interest. */
  readonly signal?: AbortSignal;
}

/** Sends to a path; of `values`, `id` stands for `:id` in it, and all else is asked by. */
type Request = (
  path: string,
  values: Readonly<Record<string, unknown>>,
  init?: { readonly method: string; readonly headers?: Record<string, string>; readonly body?: string },
) => Promise<Response>;

/** Errors  of each request: ServiceError, and what `fetch` throws where there is no answer. */
export function requester(address: string, options: ClientOptions): Request {
  const { fetch: send = fetch, headers, signal } = options;
  return async (path, { id, ...values }, init) => {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(values)) {
      for (const one of [value ?? []].flat()) query.append(key, String(one));
    }
    // Alone in a path dots lead elsewhere, however they are written: so they have a space, as nothing is called.
    const place = encodeURIComponent(String(id)).replace(/^\.\.?$/, '$&%20');
    const url = `${address.replace(/\/$/, '')}/${path.replace(':id', place)}`;
    const answer = await send(query.size > 0 ? `${url}?${query}` : url, {
      ...init,
      headers: { ...init?.headers, ...headers },
      ...(signal && { signal }),
    });
    if (answer.ok) return answer;
    throw new ServiceError(answer.status, (await answer.json().catch(() => null)) as Problem | null);
  };
}
