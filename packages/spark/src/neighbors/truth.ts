/**
 * The exact nearest pages of sampled pages among those of a group: what the recall of lists is measured against. A group
 * has the sample first (`is_sample` = 1), then pages that are not in the sample.
 *
 * Source  join/buckets/steps/sample-truth.ts.
 */
import { UNIT_PAGES } from 'akin-web/rooms/join/buckets/space/join-space';
import { JoinThread } from 'akin-web/rooms/join/buckets/space/join-thread';
import { overlapAtSimilarity } from 'akin-web/rooms/join/buckets/space/neighbor-heaps';
import { streamSample } from 'akin-web/rooms/join/buckets/steps/sample-truth';
import { decodeBag } from 'akin-web/rooms/store/blobs/blobs';
import type { RowOf } from '../record/columns.ts';
import { byGroup, defineStage, type Emit } from '../record/stage.ts';
import { spaceOfBags } from './bag-space.ts';
import { numberFound } from './found.ts';

const ID_BITS = 0x7fff_ffff;

const INPUT = { chunk: 'int', is_sample: 'boolean', page_id: 'long', entries: 'binary' } as const;

interface NearPage {
  readonly page_id: number;
  readonly neighbor_id: number;
  readonly shared: number;
  readonly total: number;
}

export const truthStage = defineStage({
  name: 'truth',
  doc: 'finds the exact nearest pages of a sample among the pages of a group',
  order: 'the pages of a chunk together, those of the sample first',
  input: INPUT,
  output: { page_id: 'long', neighbor_id: 'long', shared: 'int', total: 'int' },
  open({ options, found }) {
    const [k, featureCount] = [numberFound(found, 'recallAt'), numberFound(found, 'featureCount')];
    return byGroup('chunk', (rows, emit) => nearestOfSample(rows, k, options.floor, featureCount, emit));
  },
});

function nearestOfSample(
  rows: readonly RowOf<typeof INPUT>[],
  k: number,
  floor: number,
  featureCount: number,
  emit: Emit<NearPage>,
): void {
  const bags = rows.map(({ entries }) => decodeBag(entries));
  const sampled = rows.flatMap(({ is_sample }, i) => (is_sample ? [i] : []));
  const samplePages = Uint32Array.from(sampled);
  const { space, sums } = spaceOfBags(bags, featureCount, { floor, samplePages, sampleK: k });
  const thread = new JoinThread(space, 0);
  for (let unit = 0; unit * UNIT_PAGES < rows.length; unit++) streamSample(thread, unit);
  const { heaps } = space.sample;
  for (const [s, page] of sampled.entries()) {
    for (let slot = s * k, end = slot + heaps.counts[s]!; slot < end; slot++) {
      const other = heaps.ids[slot]! & ID_BITS;
      const sumOfBoth = sums[page]! + sums[other]!;
      const shared = overlapAtSimilarity(heaps.similarities[slot]!, sumOfBoth);
      emit({
        page_id: rows[page]!.page_id,
        neighbor_id: rows[other]!.page_id,
        shared,
        total: sumOfBoth - shared,
      });
    }
  }
}
