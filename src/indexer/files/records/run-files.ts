import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { RunStore } from '../../../join/pairs/pair-runs.ts';
import { readWhole, writeAll } from '../file-bytes.ts';

/** Runs of pairs as files of a folder, which the caller makes and removes. They live no longer than the join. */
export class RunFiles implements RunStore {
  readonly mostPairs: number;
  readonly #folder: string;
  readonly #prefix: string;
  #written = 0;

  /** Names begin with `prefix`, so that threads can write to one folder. */
  constructor(folder: string, mostPairs: number, prefix: string) {
    this.#folder = folder;
    this.mostPairs = mostPairs;
    this.#prefix = prefix;
  }

  write(units: Iterable<Float64Array>): string {
    const name = `${this.#prefix}-${this.#written++}`;
    const file = openSync(join(this.#folder, name), 'wx');
    try {
      for (const keys of units) {
        writeAll(file, new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength));
      }
    } finally {
      closeSync(file);
    }
    return name;
  }

  read(name: string, from: number, to: number): Float64Array {
    const keys = new Float64Array(to - from);
    const path = join(this.#folder, name);
    const file = openSync(path, 'r');
    try {
      readWhole(path, file, new Uint8Array(keys.buffer), 8 * from);
    } finally {
      closeSync(file);
    }
    return keys;
  }
}
