/**
 * The pages of a group compared all with all: of a bucket, all of them new; or of the pages around one page, of which
 * those that are not new have met. See join/buckets/steps/compare-group.ts.
 */
import { GroupComparison, type GroupPage } from 'akin-web/rooms/join/buckets/steps/compare-group';
import { decodeBag } from 'akin-web/rooms/store/blobs/blobs';
import type { RowOf } from '../record/columns.ts';
import { numbersOf } from '../record/packed.ts';
import { byGroup, defineStage } from '../record/stage.ts';
import { numberFound } from './found.ts';

const INPUT = {
  bucket: 'text',
  page_id: 'long',
  is_new: 'boolean',
  /** Similarity that a neighbor must reach. */
  bound: 'double',
  /** Pages that it has been compared with, ids separated by blanks. */
  known: 'text',
  row: 'binary',
  entries: 'binary',
} as const;

export const compareStage = defineStage({
  name: 'compare',
  doc: 'finds the neighbors that the pages of a group give each other',
  order: 'the pages of a bucket together',
  input: INPUT,
  output: {
    page_id: 'long',
    neighbor_id: 'long',
    shared: 'int',
    total: 'int',
    /** See join/pairs/nearness.ts. */
    nearness: 'int',
  },
  open({ options, found }) {
    const comparison = new GroupComparison({
      k: options.neighborLimit,
      slack: numberFound(found, 'slack'),
      featureCount: numberFound(found, 'featureCount'),
    });
    return byGroup('bucket', (rows, emit) => {
      if (rows.length < 2) return;
      const pages = rows.map(pageOf).sort((a, b) => a.id - b.id);
      comparison.compare(pages, (page_id, neighbor_id, shared, total, nearness) =>
        emit({ page_id, neighbor_id, shared, total, nearness }),
      );
    });
  },
});

function pageOf({ page_id, is_new, bound, known, row, entries }: RowOf<typeof INPUT>): GroupPage {
  return {
    id: page_id,
    bag: decodeBag(entries),
    row,
    bound,
    known: new Set(numbersOf(known)),
    isNew: is_new,
  };
}
