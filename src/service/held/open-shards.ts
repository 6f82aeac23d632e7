import { InputError } from '../../errors.ts';
import type { NamedPage, ReadArguments, ReadName, ReadResult, ShardSet } from '../shards/shard-reads.ts';
import { unionFacts } from '../shards/union-facts.ts';
import { UnionReader } from '../shards/union-reader.ts';
import { answerRead } from './answer-reads.ts';
import { Generation, type GenerationOptions } from './generation.ts';

/** Some 300 bytes each. */
const MAX_NAMED = 4096;

/** Shards whose files this process has open. */
class OpenShards implements ShardSet {
  readonly count: number;
  readonly known: readonly boolean[];
  readonly #shards: readonly Generation[];
  /** Pages that were named of late: a list names each several times. */
  readonly #named = new Map<number, NamedPage>();

  constructor(shards: readonly Generation[]) {
    this.count = shards.length;
    this.known = shards.map(() => true);
    this.#shards = shards;
  }

  read<Name extends ReadName>(shard: number, name: Name, args: ReadArguments<Name>): ReadResult<Name> {
    if (name === 'named') return this.#name(shard, args[0] as number) as ReadResult<Name>;
    return answerRead(this.#shards[shard]!, name, args);
  }

  #name(shard: number, page: number): NamedPage | null {
    const known = this.#named.get(page);
    if (known !== undefined) return known;
    const named = answerRead(this.#shards[shard]!, 'named', [page]);
    if (this.#named.size >= MAX_NAMED) this.#named.clear();
    if (named !== null) this.#named.set(page, named);
    return named;
  }

  isLost(): boolean {
    return false;
  }

  miss(): void {}

  close(): void {
    for (const shard of this.#shards) shard.retire();
  }
}

/**
 * Several index files, in any order, as one index.
 *
 * Errors  as `Generation.open`; InputError AKIN_ERR_OPTION where they are not the shards of one index.
 */
export async function openShards(
  paths: readonly string[],
  options: GenerationOptions = {},
): Promise<Generation> {
  const shards: Generation[] = [];
  try {
    for (const path of paths) {
      const { exactSearchUs } = options;
      const own = { preload: false, ...(exactSearchUs !== undefined && { exactSearchUs }) };
      const shard = await Generation.open(path, own);
      shards.push(shard);
      requireNewShard(shards, path);
    }
    shards.sort((a, b) => a.card.shard!.number - b.card.shard!.number);
    const cards = shards.map((shard) => answerRead(shard, 'describe', []));
    const set = new OpenShards(shards);
    return Generation.ofShards(new UnionReader(set, unionFacts(cards)), { ...options, paths });
  } catch (error) {
    for (const shard of shards) shard.retire();
    throw error;
  }
}

function requireNewShard(shards: readonly Generation[], path: string): void {
  const place = shards.at(-1)!.card.shard;
  const isGiven = shards.slice(0, -1).some(({ card }) => card.shard!.number === place?.number);
  if (place !== null && !isGiven) return;
  const what =
    place === null ? 'is a whole index, no shard' : `is shard ${place.number}, which is given already`;
  throw new InputError('AKIN_ERR_OPTION', `${path} ${what}`, {
    hint: 'give one whole index, or all shards of one index',
  });
}
