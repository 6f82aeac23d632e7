import { isNearerCenter } from 'akin-web/rooms/indexer/steps/topic-center';
import { defineStage, type Emit } from '../record/stage.ts';

interface Center {
  readonly level: number;
  readonly topic: number;
  readonly center_id: number;
}

/** The stage `topic-center`: the page at the center of each topic. It holds one page, however many a topic has. */
export const topicCenterStage = defineStage({
  name: 'topic-center',
  doc: 'the page at the center of each topic',
  order: 'by topic, level, page_id',
  input: {
    level: 'int',
    topic: 'long',
    page_id: 'long',
    /** To the other pages of the topic. */
    within: 'long',
  },
  output: { level: 'int', topic: 'long', center_id: 'long' },
  open() {
    let best: Center | null = null;
    let weight = -1;
    const finish = (emit: Emit<Center>) => {
      if (best !== null) emit(best);
      best = null;
      weight = -1;
    };
    return {
      take({ level, topic, page_id, within }, emit) {
        if (best !== null && (best.topic !== topic || best.level !== level)) finish(emit);
        if (!isNearerCenter(within, weight)) return;
        best = { level, topic, center_id: page_id };
        weight = within;
      },
      end: finish,
    };
  },
});
