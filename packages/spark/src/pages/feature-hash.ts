import { featureHash } from 'akin-web/rooms/features/feature-hash';
import { type Part, partNames } from 'akin-web/rooms/features/parts';
import { mostPages } from 'akin-web/rooms/indexer/weigh/frequencies';
import { defineStage } from '../record/stage.ts';

/** The stage `feature-hash`: the stable hash of each feature, by which weights are rounded alike everywhere. */
export const featureHashStage = defineStage({
  name: 'feature-hash',
  doc: 'the stable hash of each feature',
  order: null,
  /** What names the feature in every index: its stem; of a part by links the URL of the page; of a group its own name. */
  input: { feature_id: 'long', part: 'text', name: 'text' },
  output: { feature_id: 'long', hash: 'long' },
  /** Of each part: a feature on more pages is none. */
  plan({ options, found }) {
    const { partPageCounts = {} } = found as { readonly partPageCounts?: Readonly<Record<Part, number>> };
    const most = ([part, count]: [Part, number]) => [part, mostPages(count, options.maxPageShare)];
    return { mostPages: Object.fromEntries(Object.entries(partPageCounts).map(most)) };
  },
  open({ options }) {
    const parts = partNames(options.parts);
    return {
      take({ feature_id, part, name }, emit) {
        if (!parts.includes(part)) throw new Error(`there is no part "${part}"`);
        emit({ feature_id, hash: featureHash(part, name) });
      },
    };
  },
});
