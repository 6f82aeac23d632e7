import type { Generation } from '../index/generation.ts';
import type { KnownPage } from './known-pages.ts';
import type { LivePages } from './live-pages.ts';

/** What a generation knows of the pages of some records, each a line of JSON. */
export type Know = (generation: Generation, lines: readonly string[]) => Promise<readonly KnownPage[]>;

/** Records that are made ready together. */
const BATCH = 64;

/**
 * Puts all that waits into a generation, and what comes meanwhile; calls `serve` in the turn in which nothing is left. Errors  those
 * of `know`.
 */
export async function catchUp(
  know: Know,
  pages: LivePages,
  generation: Generation,
  serve: () => void,
): Promise<void> {
  pages.forgetFolded(generation.facts);
  const { journal } = pages;
  for (let last = 0; ; ) {
    const entries = journal.after(last, BATCH);
    const lines = entries.map(({ record }) => record);
    const known = lines.length === 0 ? [] : await know(generation, lines);
    last = entries.at(-1)?.sequence ?? journal.lastSequence;
    generation.take({ pages: known.map(({ pending }) => pending), sequence: last });
    if (entries.length === 0) return serve();
  }
}
