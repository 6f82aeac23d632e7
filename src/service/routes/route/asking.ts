/** Has questions to routes answered: on the event loop where they take little of it, else on a thread. */
import type { Reads } from '../../reads/reads.ts';
import { IN_PLACE_US, TooMuchWork, Work } from '../../reads/work.ts';
import type { Answering, Ask } from './route.ts';

/** A row that answers; any other is never asked. */
type Row = Partial<Answering<never>>;

/** Answers from the rows of a table by their names. */
export function askerOf(table: Readonly<Record<string, Row>>): Ask {
  return async (generation, route, question, gone, work = new Work(IN_PLACE_US)) => {
    const row = table[route]!;
    const make = (reads: Reads) => row.answer!(reads, question as never, generation.local);
    // Between two tries nothing else may keep it open.
    generation.lease();
    try {
      if (generation.hasThreads) {
        if (row.isLong?.(question as never) !== true) {
          try {
            return await generation.answer(make, work);
          } catch (error) {
            if (!(error instanceof TooMuchWork)) throw error;
          }
        }
        const answer = await generation.answerAside(route, question, gone());
        if (answer !== null) return answer;
      }
      return await generation.answer(make);
    } finally {
      generation.release();
    }
  };
}
