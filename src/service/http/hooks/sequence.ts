/** Says which writes an answer knows, and keeps back one that knows too few. */
import type { FastifyInstance } from 'fastify';
import { MIN_SEQUENCE } from '../../schemas/fields.ts';
import { Problem, parameterProblem } from '../problems/problem.ts';

const [NAME] = Object.keys(MIN_SEQUENCE) as ['min_sequence'];
const RETRY_SECONDS = 1;
const ALLOWED = 'an integer of at least 0';

/** Has every answer say the number of the last write that it knows, as `known` gives it; null where no pages are taken. */
export function saySequence(app: FastifyInstance, known: () => number | null): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const now = known();
    if (now !== null) reply.header('akin-sequence', String(now));
    done();
  });
}

/** The parameter, which is taken out of those that were given: no route has it among its own. */
export function takeSequence(given: object): unknown {
  const { [NAME]: text } = given as { [NAME]?: unknown };
  if (text !== undefined) delete (given as { [NAME]?: unknown })[NAME];
  return text;
}

/** Errors  Problem `invalid-parameter`; `behind` where less is known. */
export function requireSequence(text: unknown, known: number | null): void {
  if (text === undefined) return;
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    throw parameterProblem(NAME, `must be ${ALLOWED}`, text, ALLOWED);
  }
  const now = known ?? 0;
  if (Number(text) <= now) return;
  throw new Problem('behind', `this server knows pages up to ${now}, not yet ${text}`, {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}
