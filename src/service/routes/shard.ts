/** What one process of akin asks of another. */
import { Type } from 'typebox';
import { postedAnswer } from '../answers/posted.ts';
import { type PostedBody, parseJson } from '../http/body.ts';
import { Problem } from '../http/problems/problem.ts';
import type { GenerationHolder } from '../index/generation-holder.ts';
import { revived } from '../reads/read-codec.ts';
import { type AskedRead, isLong } from '../reads/read-table.ts';
import { READS_PATH } from '../reads/shards/peers.ts';
import { route, type Said } from './route.ts';

const MAX_READS = 100_000;
/** More of them are answered on a thread. */
const MAX_IN_PLACE = 64;

export const SHARD_ROUTES = {
  /** What a process that serves several shards asks of one of them. */
  shardReads: route({
    method: 'POST',
    path: READS_PATH,
    summary: 'What a service of several shards reads of this one',
    tag: 'operation',
    query: {},
    body: { 'application/json': Type.Unknown() },
    bodyLimit: 16 * 2 ** 20,
    answers: Type.Unknown(),
    says: 'What was read, in the order asked for.',
    problems: [],
    isHidden: true,
    act: ({ holder }, { body }) => shardReads(holder, body),
  }),
};

async function shardReads(holder: GenerationHolder, body: PostedBody | null): Promise<Said> {
  const { generation: wanted, reads } = readBody(body);
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
  const isAside = reads.length > MAX_IN_PLACE || reads.some(([name]) => isLong(name));
  const job = { kind: 'reads', query: { reads }, body: null } as const;
  return isAside
    ? generation.answerAside(job, postedAnswer)
    : generation.answer((all) => postedAnswer(all, job));
}

/** Errors  Problem `malformed-json`, `invalid-body`. */
function askedOf(body: PostedBody | null): unknown {
  const parsed = parseJson(body);
  try {
    return revived(parsed);
  } catch (cause) {
    throw new Problem('invalid-body', 'the numbers of the body cannot be read', { cause });
  }
}

function readBody(body: PostedBody | null): { generation: string; reads: readonly AskedRead[] } {
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
