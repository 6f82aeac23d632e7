import { copyParameters } from 'akin-web/rooms/indexer/options/copy-parameters';
import { crowdedRuns, unmetAtMost } from 'akin-web/rooms/join/copies/candidate-lists';
import { PairCounts } from 'akin-web/rooms/join/copies/pair-counts';
import type { RowOf } from '../record/columns.ts';
import { byGroup, defineStage, type Emit } from '../record/stage.ts';

const INPUT = { key: 'long', page_id: 'long', is_listed: 'boolean', crowd: 'long' } as const;
const OUTPUT = {
  /** -1 with the number of crowded shingles as `count`. */
  a: 'long',
  /** -1 where `count` is that of the crowded shingles of page `a`, and `unmet` how many pages it did not meet, at most. */
  b: 'long',
  count: 'int',
  unmet: 'int',
} as const;

/**
 * The stage `meet`: the pairs of pages that share shingles, and by how many they met in this task: sums over tasks are
 * those of the whole. See join/copies/candidate-lists.ts.
 */
export const meetStage = defineStage({
  name: 'meet',
  doc: 'pairs of pages that share shingles, counted',
  order: 'the pages of a key together, ascending',
  input: INPUT,
  output: OUTPUT,
  open({ options }) {
    const { max_pages_per_shingle: most } = copyParameters(options);
    let emitNow: Emit<RowOf<typeof OUTPUT>> = () => {};
    const counts = new PairCounts((a, b, count) => emitNow({ a, b, count, unmet: 0 }));
    const crowded = new Map<number, { count: number; unmet: number }>();
    let crowdedShingleCount = 0;
    const meetAll = (pages: Uint32Array, ids: readonly number[]) => {
      for (let i = 0; i < pages.length; i++) {
        const a = ids[pages[i]!]!;
        for (let j = i + 1; j < pages.length; j++) counts.add(a, ids[pages[j]!]!);
      }
    };
    const noteCrowded = (id: number, unmet: number) => {
      const known = crowded.get(id) ?? { count: 0, unmet: 0 };
      crowded.set(id, { count: known.count + 1, unmet: Math.max(known.unmet, unmet) });
    };
    const groups = byGroup<RowOf<typeof INPUT>, RowOf<typeof OUTPUT>>('key', (rows, emit) => {
      if (rows.length === 1 || !rows.some((row) => row.is_listed)) return;
      emitNow = emit;
      const ids = rows.map((row) => row.page_id);
      const places = Uint32Array.from(ids.keys());
      if (rows.length <= most) {
        meetAll(places, ids);
        return;
      }
      crowdedShingleCount++;
      for (const run of crowdedRuns(places, (place) => rows[place]!.crowd)) meetAll(run, ids);
      const unmet = unmetAtMost(rows.length);
      for (const id of ids) noteCrowded(id, unmet);
    });
    return {
      take: (row, emit) => groups.take(row, emit),
      end(emit) {
        groups.end?.(emit);
        emitNow = emit;
        counts.flush();
        for (const [a, { count, unmet }] of crowded) emit({ a, b: -1, count, unmet });
        if (crowdedShingleCount > 0) emit({ a: -1, b: -1, count: crowdedShingleCount, unmet: 0 });
      },
    };
  },
});
