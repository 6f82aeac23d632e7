import type { RunStore } from '../../src/join/pairs/pair-runs.ts';

/** A store of pairs over plain arrays. */
export function arrayStore(mostPairs: number): RunStore & { readonly written: Map<string, Float64Array> } {
  const written = new Map<string, Float64Array>();
  return {
    mostPairs,
    written,
    write(units) {
      const name = `run ${written.size}`;
      written.set(name, Float64Array.from(Array.from(units, (keys) => [...keys]).flat()));
      return name;
    },
    read: (name, from, to) => written.get(name)!.slice(from, to),
  };
}
