import { setImmediate as turn } from 'node:timers/promises';
import type { JournalReader, WaitingRecord } from '../../store/journal/journal-reader.ts';
import type { Generation } from '../index/generation.ts';
import type { PendingPage } from '../reads/live/pending-page.ts';
import type { SegmentChange } from '../reads/live/segment.ts';
import type { KnownPage } from './known-pages.ts';
import { foldedIn } from './live-pages.ts';
import type { KeptPage, ReadyPages } from './ready-pages.ts';

/** What a generation knows of the pages of some records, each a line of JSON. */
export type Know = (generation: Generation, lines: readonly string[]) => Promise<readonly KnownPage[]>;

/** Records that are made ready together. */
const BATCH = 64;

/**
 * Puts all that waits into a generation, which stays open meanwhile, and what comes; calls `serve` in the turn in which nothing is
 * left. Pages are put in the order in which they came first, as by the process that took them: of equal neighbors the one that
 * came first stands first.
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
  ready: ReadyPages,
  serve: () => void,
  given = 0,
): Promise<void> {
  generation.lease();
  try {
    const { segment } = generation.live!;
    let isWhole = true;
    for (let from = Math.max(segment.sequence, foldedIn(generation.facts.sweeps, journal), given); ; ) {
      const waiting: { readonly page: PendingPage; readonly firstSequence: number }[] = [];
      let hasRead = false;
      for (let isEnd = false; !isEnd; ) {
        // Before the records: those up to it are there, or forgotten.
        const last = journal.lastSequence;
        const { records, readTo, ...read } = journal.after(from, BATCH);
        ({ isEnd } = read);
        isWhole &&= journal.forgotten <= from;
        hasRead ||= readTo > from;
        from = isEnd ? Math.max(last, readTo) : readTo;
        if (records.length === 0) continue;
        const pages = await madeReady(know, generation, ready, records);
        waiting.push(...pages.map((page, i) => ({ page, firstSequence: records[i]!.firstSequence })));
      }
      waiting.sort((one, other) => one.firstSequence - other.firstSequence);
      const { sequence, beyond } = segment;
      const take = (first: number, to: Pick<SegmentChange, 'sequence' | 'beyond'>) => {
        const pages = waiting.slice(first, first + BATCH).map(({ page }) => page);
        generation.take({ pages, ...to, journal: journal.id });
      };
      let first = 0;
      for (; first + BATCH < waiting.length; first += BATCH) {
        take(first, { sequence, beyond: beyond + first + BATCH });
        // Others have their turn.
        await turn();
      }
      take(first, isWhole ? { sequence: from, beyond: 0 } : { sequence, beyond: beyond + waiting.length });
      if (hasRead) continue;
      // Each takes as long as this one did to know which of the pages are near to each other.
      if (segment.pages.length > 0) generation.startThreads();
      return serve();
    }
  } finally {
    generation.release();
  }
}

/** What was made ready before is taken as it is. */
async function madeReady(
  know: Know,
  generation: Generation,
  ready: ReadyPages,
  records: readonly WaitingRecord[],
): Promise<PendingPage[]> {
  const found = records.map((record) => ready.find(record));
  const others = records.filter((_, i) => found[i] === null);
  const lines = others.map(({ record }) => record);
  // Where there is nothing to wait for, others have their turn all the same.
  const known = lines.length === 0 ? await turn([]) : await know(generation, lines);
  const made: KeptPage[] = known.map(({ pending }, i) => ({ ...pending, digest: others[i]!.digest }));
  ready.keep?.(made);
  const next = made.values();
  return found.map((page) => page ?? next.next().value!);
}
