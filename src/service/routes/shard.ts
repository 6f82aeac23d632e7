import type { FastifyInstance, FastifyRequest } from 'fastify';
import { postedAnswer } from '../answers/posted.ts';
import { type AskedRead, readsAnswer } from '../held/answer-reads.ts';
import type { GenerationHolder } from '../held/generation-holder.ts';
import { READS_PATH } from '../held/peer-generation.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { replyUncached } from '../http/reply.ts';
import { revived } from '../shards/read-codec.ts';
import { LONG_READS } from '../shards/shard-reads.ts';

const BODY_BYTES = 16 * 2 ** 20;
const MAX_READS = 100_000;
/** More of them are answered on a thread. */
const MAX_IN_PLACE = 64;

/** POST /shard/reads: what a process that serves several shards asks of one of them. */
export function shardRoute(app: FastifyInstance, holder: GenerationHolder): void {
  app.post(
    READS_PATH,
    { bodyLimit: BODY_BYTES, config: { accepts: ['application/json'] }, schema: { hide: true } },
    async (request: FastifyRequest, reply) => {
      const { generation: wanted, reads } = readBody(request.body as PostedBody | undefined);
      if (holder.current().card.shard === null) {
        throw new Problem('route-not-found', 'this index is whole: it has no shards to read from');
      }
      const generation = holder.find(wanted);
      if (generation === undefined) {
        throw new Problem(
          'generation-changed',
          `this shard does not serve the generation ${wanted.slice(0, 64)}`,
        );
      }
      const isLong = reads.length > MAX_IN_PLACE || reads.some(([name]) => LONG_READS.has(name));
      const job = { kind: 'reads', query: { reads }, body: null } as const;
      return replyUncached(
        reply,
        isLong
          ? await generation.answerDocument(job, postedAnswer)
          : { value: readsAnswer(generation, reads), lost: [] },
      );
    },
  );
}

/** Errors  Problem `malformed-json`, `invalid-body`. */
function askedOf(body: PostedBody | undefined): unknown {
  const parsed = parseJson(body);
  try {
    return revived(parsed);
  } catch (cause) {
    throw new Problem('invalid-body', 'the numbers of the body cannot be read', { cause });
  }
}

function readBody(body: PostedBody | undefined): { generation: string; reads: readonly AskedRead[] } {
  const { generation, reads } = (askedOf(body) ?? {}) as { generation?: unknown; reads?: unknown };
  const isSound =
    typeof generation === 'string' &&
    Array.isArray(reads) &&
    reads.length <= MAX_READS &&
    reads.every((read) => Array.isArray(read) && typeof read[0] === 'string');
  if (!isSound)
    throw new Problem(
      'invalid-body',
      `send {"generation", "reads": [[name, ...], ...]}, up to ${MAX_READS} reads`,
    );
  return { generation, reads: reads as AskedRead[] };
}
