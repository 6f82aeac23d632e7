/** Says which writes an answer knows, and keeps back one that knows too few. */
import type { FastifyInstance } from 'fastify';
import { MIN_SEQUENCE } from '../../schemas/fields.ts';
import { Problem, parameterProblem } from '../problems/problem.ts';

const [NAME] = Object.keys(MIN_SEQUENCE) as ['min_sequence'];
const RETRY_SECONDS = 1;
const ALLOWED = 'an integer of at least 0';

/** `sequence` gives the number of the last write that answers know; null where no pages are taken. */
export function answerBySequence(app: FastifyInstance, sequence: () => number | null): void {
  app.addHook('onRequest', (_request, reply, done) => {
    const now = sequence();
    if (now !== null) reply.header('akin-sequence', String(now));
    done();
  });
  // Not async: requests of one connection that come together are answered in one turn where they can be.
  app.addHook('preHandler', ({ query }, _reply, done) => {
    const given = query as Record<string, unknown>;
    const text = given[NAME];
    delete given[NAME];
    done(text === undefined ? undefined : faultOf(text, sequence() ?? 0));
  });
}

function faultOf(text: unknown, now: number): Problem | undefined {
  if (typeof text !== 'string' || !/^\d{1,15}$/.test(text)) {
    return parameterProblem(NAME, `must be ${ALLOWED}`, text, ALLOWED);
  }
  if (Number(text) <= now) return undefined;
  return new Problem('behind', `this server knows pages up to ${now}, not yet ${text}`, {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}
