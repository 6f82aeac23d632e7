import type { JournalReader } from '../../store/journal/journal-reader.ts';
import type { Generation } from '../index/generation.ts';
import type { KnownPage } from './known-pages.ts';
import { foldedIn } from './live-pages.ts';

/** What a generation knows of the pages of some records, each a line of JSON. */
export type Know = (generation: Generation, lines: readonly string[]) => Promise<readonly KnownPage[]>;

/** Records that are made ready together. */
const BATCH = 64;

/**
 * Puts all that waits into a generation, which stays open meanwhile, and what comes; calls `serve` in the turn in which nothing is
 * left.
 *
 * Where the journal has forgotten what a later index has, the generation takes what is left, and does not say that it knows it; up to
 * `given` no other index will have it.
 *
 * Errors  those of `know`, and of reading the journal.
 */
export async function catchUp(
  know: Know,
  journal: JournalReader,
  generation: Generation,
  serve: () => void,
  given = 0,
): Promise<void> {
  generation.lease();
  try {
    const { segment } = generation.live!;
    let isWhole = true;
    for (let from = Math.max(segment.sequence, foldedIn(generation.facts.sweeps, journal), given); ; ) {
      // Before the records: those up to it are there, or forgotten.
      const last = journal.lastSequence;
      const { records, readTo, isEnd } = journal.after(from, BATCH);
      isWhole &&= journal.forgotten <= from;
      const known = records.length === 0 ? [] : await know(generation, records);
      const before = from;
      from = isEnd ? Math.max(last, readTo) : readTo;
      generation.take({
        pages: known.map(({ pending }) => pending),
        sequence: isWhole ? from : segment.sequence,
        journal: journal.id,
      });
      if (readTo === before) return serve();
    }
  } finally {
    generation.release();
  }
}
