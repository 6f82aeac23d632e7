import type { FastifyReply } from 'fastify';
import { Problem } from './problems/problem.ts';

/** Aborts when the client disconnects before its answer is sent. */
export function goneFrom({ raw }: FastifyReply): () => AbortSignal {
  return () => {
    const gone = new AbortController();
    if (raw.destroyed) gone.abort();
    raw.once('close', () => gone.abort());
    return gone.signal;
  };
}

/** Ends work that no one waits for; it reaches no one. */
export function unwanted(): Problem {
  return new Problem('request-timeout', 'the client has gone');
}
