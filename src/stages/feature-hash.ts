import { featureHash } from '../features/feature-hash.ts';
import { PARTS } from '../features/parts.ts';
import { defineStage } from './stage.ts';

/** The stage `feature-hash`: the stable hash of each feature, by which weights are rounded alike everywhere. */
export const featureHashStage = defineStage({
  name: 'feature-hash',
  doc: 'the stable hash of each feature',
  order: null,
  input: { feature_id: 'long', part: 'int', stem: 'text' },
  output: { feature_id: 'long', hash: 'long' },
  open: () => ({
    take({ feature_id, part, stem }, emit) {
      const name = PARTS[part];
      if (name === undefined) throw new Error(`there is no part ${part}`);
      emit({ feature_id, hash: featureHash(name, stem) });
    },
  }),
});
