import { cutText } from '../../../lib/cut-text.ts';
import type { ParameterFaultAnswer, ProblemAnswer } from '../../schemas/answers/problem-answers.ts';

export const PROBLEMS = {
  'invalid-parameters': { status: 400, title: 'A parameter cannot be used' },
  'invalid-body': { status: 400, title: 'The body cannot be used' },
  'malformed-json': { status: 400, title: 'The body is not JSON' },
  'malformed-request': { status: 400, title: 'The request cannot be read' },
  'relation-not-in-index': { status: 400, title: 'This index does not hold that relation' },
  'invalid-cursor': { status: 400, title: 'The cursor belongs to another request' },
  'key-required': { status: 401, title: 'A key is needed' },
  'key-scope': { status: 403, title: 'The key does not open that' },
  'export-not-allowed': { status: 403, title: 'Not everything at once for you' },
  'pages-off': { status: 404, title: 'This service takes no pages' },
  'rules-off': { status: 404, title: 'This service takes no rules' },
  'fold-not-found': { status: 404, title: 'There is no such fold' },
  'page-not-indexed': { status: 404, title: 'The page is not in the index' },
  'search-not-in-index': { status: 404, title: 'This index has no full-text search' },
  'feedback-off': { status: 404, title: 'This service takes no feedback' },
  'cluster-not-found': { status: 404, title: 'There is no such cluster' },
  'route-not-found': { status: 404, title: 'There is nothing here' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'request-timeout': { status: 408, title: 'The request came too slowly' },
  'generation-changed': { status: 410, title: 'The index has changed since this cursor was made' },
  'precondition-failed': { status: 412, title: 'The page is another one' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not supported here' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  internal: { status: 500, title: 'Something went wrong here' },
  'not-ready': { status: 503, title: 'The service is not ready' },
  'shard-unavailable': { status: 503, title: 'A part of the index cannot be asked' },
  behind: { status: 503, title: 'The server does not know the latest pages yet' },
  'too-many-pending': { status: 503, title: 'Too many pages wait for the index' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  'journal-full': { status: 507, title: 'There is no room for more pages' },
  'rules-full': { status: 507, title: 'There is no room for the rules' },
  'feedback-full': { status: 507, title: 'There is no room for more feedback' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** The header that names the shards which an answer lacks. */
export const LOST_SHARDS = 'akin-lost-shards';

export interface ProblemExtra {
  readonly errors?: readonly ParameterFaultAnswer[];
  readonly headers?: Readonly<Record<string, string>>;
  /** URLs of pages that may have been meant. */
  readonly nearest?: readonly string[];
  readonly cause?: unknown;
}

/** What a request is refused with; `error-reply.ts` writes it as RFC 9457. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly ParameterFaultAnswer[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly nearest: readonly string[] | undefined;

  constructor(code: ProblemCode, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
    this.nearest = extra.nearest;
  }

  /** The shards that were not asked. */
  get lostShards(): number[] {
    return this.headers[LOST_SHARDS]?.split(', ').map(Number) ?? [];
  }
}

/** Of a served file that was damaged or cut short in place. */
export function unreadable(cause: unknown): Problem {
  return new Problem('not-ready', 'the index file that is served cannot be read any more', { cause });
}

/** The RFC 9457 members, `instance` being the request that met the problem. */
export function problemBody(problem: Problem, instance: string): ProblemAnswer {
  const { status, title } = PROBLEMS[problem.code];
  const detail = problem.message;
  const { code, errors, nearest } = problem;
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail,
    instance,
    code,
    ...(errors && { errors: [...errors] }),
    ...(nearest && { nearest: [...nearest] }),
  };
}

/** A refusal for one parameter. */
export function parameterProblem(
  parameter: string,
  detail: string,
  received: unknown,
  allowed: unknown,
): Problem {
  const fault = { parameter, detail, received: shortened(received), allowed };
  return new Problem('invalid-parameters', `${parameter}: ${detail}`, { errors: [fault] });
}

/** A refusal for vectors in a body, of which their names are said: they are long, and kept in another form. */
export function vectorsProblem(detail: string, vectors: object, allowed: string): Problem {
  return parameterProblem('vectors', detail, Object.keys(vectors), allowed);
}

/**
 * A refusal for a page. `advice` is for callers over HTTP; the fault says what is wrong without it. `nearest`: pages that
 * may have been meant.
 */
export function pageProblem(
  url: string,
  what: string,
  advice: string,
  nearest: readonly string[] = [],
): Problem {
  const meant = nearest.map((one) => cutText(one, 300)).join(', ');
  const detail = `${cutText(url, 300)} ${what}${meant && `; near to it are ${meant}`}`;
  const fault = { parameter: 'url', detail, received: shortened(url), allowed: 'a page of the index' };
  return new Problem('page-not-indexed', `${detail}; ${advice}`, { errors: [fault], nearest });
}

/** Keeps a hostile value from filling the answer that complains about it. */
export function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined) return null;
  if (text.length > 200) return `${cutText(text, 200)}...`;
  return value;
}
