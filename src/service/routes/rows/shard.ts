/** What one process of akin asks of another. */
import { cutText } from '../../../lib/cut-text.ts';
import { Type } from '../../../lib/json-schema.ts';
import { type PostedBody, parseJson } from '../../http/body.ts';
import { Problem } from '../../http/problems/problem.ts';
import type { FileReads } from '../../reads/file/file-reads.ts';
import { revived } from '../../reads/read-codec.ts';
import { type AskedRead, isLong, READS_PATH } from '../../reads/read-table.ts';
import { type Gone, type Question, route, type Said, type Service } from '../route/route.ts';

const MAX_READS = 100_000;

export const SHARD_ROUTES = {
  /** What a process that serves several shards asks of one of them. */
  shardReads: route({
    method: 'POST',
    path: READS_PATH,
    summary: 'What a service of several shards reads of this one',
    tag: 'operation',
    scope: 'operate',
    query: {},
    body: { 'application/json': Type.Unknown() },
    bodyLimit: 16 * 2 ** 20,
    answers: Type.Unknown(),
    says: 'What was read, in the order asked for.',
    problems: [],
    isHidden: true,
    isLong: ({ query }) => readsOf(query).some(([name]) => isLong(name)),
    async answer(reads, { query }) {
      const { readsAnswer } = await import('../../reads/shards/answer-reads.ts');
      return readsAnswer((reads as FileReads).byWholeIds, readsOf(query));
    },
    act: shardReads,
  }),
};

/** As `shardReads` asks itself. */
function readsOf(query: object): readonly AskedRead[] {
  return (query as { readonly reads: readonly AskedRead[] }).reads;
}

async function shardReads({ holder, ask }: Service, { body }: Question<object>, gone: Gone): Promise<Said> {
  const { generation: wanted, reads } = readBody(body);
  if (holder.current().card.shard === null) {
    throw new Problem('route-not-found', 'this index is whole: it has no shards to read from');
  }
  const generation = holder.find(wanted);
  if (generation === undefined) {
    throw new Problem(
      'generation-changed',
      `this shard does not serve the generation ${cutText(wanted, 64)}`,
    );
  }
  return ask(generation, 'shardReads', { query: { reads }, offset: 0, hash: '', body: null }, gone);
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
