import type { GivenRecord } from '../../live/given-record.ts';
import type { Conditions, Written } from '../../live/live-pages.ts';
import { askKnown } from './ask-known.ts';
import type { Gone, Service } from './route.ts';

/** Asks what the index knows of pages, keeps them, and puts them into answers. Errors  as `LivePages.write`. */
export async function writePages(
  { ask, holder, live }: Service,
  records: readonly GivenRecord[],
  gone: Gone,
  conditions?: Conditions,
): Promise<readonly Written[]> {
  const { pages } = live!;
  const lines = records.map(({ said }) => said);
  for (;;) {
    const generation = holder.current();
    const found = await askKnown(ask, generation, lines, gone);
    // They were made ready for an index that is not served any more.
    if (generation !== holder.current()) continue;
    const written = pages.write(records, found, Date.now(), conditions);
    const kept = found.flatMap(({ pending }, i) => {
      const { isKept, datedMs: fetchedAtMs } = written[i]!;
      return isKept ? [{ ...pending, fetchedAtMs }] : [];
    });
    if (kept.length > 0) generation.take({ pages: kept, sequence: pages.journal.lastSequence });
    return written;
  }
}
