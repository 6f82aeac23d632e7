import { float64s } from '../record/packed.ts';
import { defineStage } from '../record/stage.ts';

/** The stage `shingles`: the keys of a sketch one by one, but those that bring no pages together. */
export const shinglesStage = defineStage({
  name: 'shingles',
  doc: 'the shingle keys of a sketch, a record each',
  order: null,
  input: {
    page_id: 'long',
    /** float64, ascending. */
    keys: 'binary',
    /** How many of them, from the first, find other pages; crowd and silent as the stage `mark` writes them. */
    listed_count: 'int',
    crowd: 'long',
    silent: 'binary?',
  },
  output: { key: 'long', page_id: 'long', is_listed: 'boolean', crowd: 'long' },
  open: () => ({
    take({ page_id, keys, listed_count, crowd, silent }, emit) {
      for (const [i, key] of float64s(keys).entries()) {
        if (silent?.[i] !== 1) emit({ key, page_id, is_listed: i < listed_count, crowd });
      }
    },
  }),
});
