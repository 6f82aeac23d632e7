import { measuredRecall } from 'akin-web/rooms/join/pairs/measured-recall';
import { defineStage } from '../record/stage.ts';

/** The stage `recall`: the share of the neighbors of sampled pages that was found. See join/pairs/measured-recall.ts. */
export const recallStage = defineStage({
  name: 'recall',
  doc: 'the share of the true neighbors of sampled pages that was found, and its interval',
  order: 'all rows in one task',
  input: { wanted: 'int', held: 'int' },
  output: { recall: 'double', low: 'double', high: 'double', sample_count: 'int' },
  open({ found }) {
    const wanted: number[] = [];
    const held: number[] = [];
    return {
      take(row) {
        wanted.push(row.wanted);
        held.push(row.held);
      },
      end(emit) {
        const { recall, recallLow, recallHigh, sampleCount } = measuredRecall(
          wanted,
          held,
          Number(found['pageCount']),
        );
        emit({ recall, low: recallLow, high: recallHigh, sample_count: sampleCount });
      },
    };
  },
});
