import type { Registry } from 'prom-client';
import type { PageJournal } from '../../store/journal/page-journal.ts';
import { describeFigures } from '../index/index-figures.ts';

/** Figures of the pages that wait for a fold, read when they are asked for; `journal` gives null before it is open. */
export function describePending(registry: Registry, journal: () => PageJournal | null): void {
  const figures: readonly [name: string, help: string, read: (journal: PageJournal) => number][] = [
    ['akin_pages_pending', 'Pages that wait for a fold.', (all) => all.figures().count],
    [
      'akin_pages_pending_age_seconds',
      'How long the first of them has waited; 0 for none.',
      (all) => ageMs(all.figures().oldestMs, Date.now()) / 1000,
    ],
    [
      'akin_pages_damaged',
      'Records of pages that waited, are damaged and were passed over.',
      (all) => all.damagedCount,
    ],
  ];
  describeFigures(registry, figures, (read) => {
    const all = journal();
    return all === null ? 0 : read(all);
  });
}

/** Clocks may be put back. */
function ageMs(sinceMs: number | null, nowMs: number): number {
  return sinceMs === null ? 0 : Math.max(0, nowMs - sinceMs);
}
