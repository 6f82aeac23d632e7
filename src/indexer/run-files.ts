import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { RunStore } from '../join/pair-runs.ts';

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
        const bytes = new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength);
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
      }
    } finally {
      closeSync(file);
    }
    return name;
  }

  read(name: string, from: number, to: number): Float64Array {
    const keys = new Float64Array(to - from);
    const bytes = new Uint8Array(keys.buffer);
    const path = join(this.#folder, name);
    const file = openSync(path, 'r');
    try {
      for (let at = 0; at < bytes.length; ) {
        const got = readSync(file, bytes, at, bytes.length - at, 8 * from + at);
        if (got === 0) throw new Error(`${path} is shorter than it says`);
        at += got;
      }
    } finally {
      closeSync(file);
    }
    return keys;
  }
}
