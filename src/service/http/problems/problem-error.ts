import { InputError, NotIndexedError, TransientError } from '../../../errors.ts';
import { Problem, type ProblemCode } from './problem.ts';

const ERRORS = {
  'page-not-indexed': [NotIndexedError, 'AKIN_ERR_PAGE_NOT_INDEXED'],
  'cluster-not-found': [NotIndexedError, 'AKIN_ERR_CLUSTER_NOT_FOUND'],
  'generation-changed': [InputError, 'AKIN_ERR_GENERATION_CHANGED'],
  'invalid-body': [InputError, 'AKIN_ERR_DOCUMENT'],
  'malformed-json': [InputError, 'AKIN_ERR_DOCUMENT'],
  'not-ready': [TransientError, 'AKIN_ERR_INDEX_BUSY'],
  overloaded: [TransientError, 'AKIN_ERR_INDEX_BUSY'],
  'shard-unavailable': [TransientError, 'AKIN_ERR_INDEX_BUSY'],
} as const;
const OTHERS = [InputError, 'AKIN_ERR_OPTION'] as const;

/** What to do about problems, for those who ask in one way. */
export type Hints = Readonly<Partial<Record<ProblemCode, string>> & { others: string }>;

/** The error that a problem stands for in a program; one that the service is to blame for, or no problem, stays as it is. */
export function errorOfProblem(
  error: unknown,
  hints: Hints,
  messageOf: (problem: Problem) => string,
): unknown {
  if (!(error instanceof Problem) || error.code === 'internal') return error;
  const { code } = error;
  const [kind, errorCode] = code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : OTHERS;
  const hint = kind === TransientError ? 'try again' : (hints[code] ?? hints.others);
  return new kind(errorCode, messageOf(error), { hint, cause: error });
}
