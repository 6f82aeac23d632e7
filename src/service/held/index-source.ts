import { statSync } from 'node:fs';
import { Generation, type GenerationOptions } from './generation.ts';
import { openShards } from './open-shards.ts';

/** Where the index that is served comes from. */
export interface IndexSource {
  /** Looks whether it is another by now: changes when it is, '' where there is none. */
  look(): string | Promise<string>;
  /** What the last look has seen. Errors  those of `IndexReader.open`. */
  open(options: GenerationOptions): Promise<Generation>;
  /** Numbers of the shards that could not be asked at the last look. */
  lostShards(): readonly number[];
  close(): Promise<void>;
}

/** One index file, or the shards of one index. */
export class IndexFiles implements IndexSource {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  look(): string {
    const identities = this.#paths.map(identityOf);
    return identities.includes('') ? '' : identities.join(' ');
  }

  open(options: GenerationOptions): Promise<Generation> {
    const [path, ...others] = this.#paths;
    return others.length === 0 ? Generation.open(path!, options) : openShards(this.#paths, options);
  }

  lostShards(): readonly number[] {
    return [];
  }

  async close(): Promise<void> {}
}

/** Changes when another file takes the place of this one, or this one is written to; '' where there is none. */
function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}
