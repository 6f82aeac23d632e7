import { type FileOrder, readOrdered } from '../threads/file-order.ts';
import { answerJobs } from '../threads/jobs.ts';
import { emptyPieces, withPlaces } from './arena.ts';
import { loadParts } from './snapshot-parts.ts';

/** Reads the parts, and gives them without what they stand in; then each piece of that by its number. Pieces that it is given it drops. */
answerJobs(
  async (order: FileOrder) => {
    let pieces: readonly ArrayBuffer[] = [];
    return {
      async answer(job: null | number | readonly ArrayBuffer[]): Promise<unknown> {
        if (typeof job === 'number') return pieces[job];
        if (job !== null) return emptyPieces(job);
        const { pieces: all, ...parts } = await readOrdered(order, (reader) =>
          loadParts(reader, reader.card().relations, Number.POSITIVE_INFINITY),
        );
        pieces = all;
        return { pieceCount: all.length, parts: withPlaces(parts, all) };
      },
    };
  },
  (value) => (value instanceof ArrayBuffer ? [value] : []),
);
