import { featureHash } from '../../features/feature-hash.ts';
import { partNames } from '../../features/parts.ts';
import { defineStage } from '../record/stage.ts';

/** The stage `feature-hash`: the stable hash of each feature, by which weights are rounded alike everywhere. */
export const featureHashStage = defineStage({
  name: 'feature-hash',
  doc: 'the stable hash of each feature',
  order: null,
  /** What names the feature in every index: its stem; of a part by links the URL of the page; of a group its own name. */
  input: { feature_id: 'long', part: 'text', name: 'text' },
  output: { feature_id: 'long', hash: 'long' },
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
