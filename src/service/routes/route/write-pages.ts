import { Problem } from '../../http/problems/problem.ts';
import type { GivenRecord } from '../../live/given-record.ts';
import type { WriteHow, Written } from '../../live/live-pages.ts';
import { VectorNames } from '../../live/vector-names.ts';
import { askKnown } from './ask-known.ts';
import type { Gone, Service } from './route.ts';

/** Asks what the index knows of pages, keeps them, and puts them into answers. Errors  as `LivePages.write`. */
export async function writePages(
  { ask, holder, live }: Service,
  records: readonly GivenRecord[],
  gone: Gone,
  how?: WriteHow,
): Promise<readonly Written[]> {
  const { pages, ready } = live!;
  const lines = records.map(({ said }) => said);
  for (;;) {
    const generation = holder.current();
    const found = await askKnown(ask, generation, lines, gone);
    // They were made ready for an index that is not served any more.
    if (generation !== holder.current()) continue;
    const names = new VectorNames(generation.facts, generation.live!.segment);
    let written: Written[];
    try {
      written = pages.write(records, found, names, Date.now(), how);
    } catch (error) {
      // What no page depends on makes room for pages.
      if (error instanceof Problem && error.code === 'journal-full' && ready.giveUp(error)) continue;
      throw error;
    }
    const kept = written.flatMap(({ pending }) => pending);
    const { lastSequence: sequence, id: journal } = pages.journal;
    if (kept.length > 0) generation.take({ pages: kept, sequence, beyond: 0, journal });
    ready.keep(generation, kept);
    return written;
  }
}
