import type { ProblemCode } from './error-reply.ts';

/** One thing wrong with a request: what it is about, what came and what is allowed. */
export interface ParameterFault {
  readonly parameter: string;
  readonly detail: string;
  /** As it came, cut to 200 characters; null where nothing came. */
  readonly received: unknown;
  readonly allowed: unknown;
}

export interface ProblemExtra {
  readonly errors?: readonly ParameterFault[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** What a request is refused with; `error-reply.ts` decides the status and writes it as RFC 9457. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: readonly ParameterFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
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

/** Keeps a hostile value from filling the answer that complains about it. */
export function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === undefined) return null;
  if (text.length > 200) return `${text.slice(0, 200)}...`;
  return value;
}
