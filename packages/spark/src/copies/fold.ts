import { commonLanguage } from 'akin-web/rooms/indexer/steps/equal-texts';
import type { RowOf } from '../record/columns.ts';
import { byGroup, defineStage } from '../record/stage.ts';

const INPUT = {
  /** What equal texts have in common. */
  fold: 'text',
  /** The first page of those that say this language. */
  page_id: 'long',
  lang: 'text',
} as const;
const OUTPUT = { fold: 'text', folded_id: 'long', lang: 'text' } as const;

/** The stage `fold`: which page stands for all of equal texts, and what is known of them. */
export const foldStage = defineStage({
  name: 'fold',
  doc: 'of equal texts the page that stands for them, and their language',
  order: 'the languages of a fold together',
  input: INPUT,
  output: OUTPUT,
  open: () =>
    byGroup<RowOf<typeof INPUT>, RowOf<typeof OUTPUT>>('fold', (rows, emit) => {
      const { fold, lang } = rows[0]!;
      emit({
        fold,
        folded_id: Math.min(...rows.map(({ page_id }) => page_id)),
        lang: rows.reduce((known, row) => commonLanguage(known, row.lang, ''), lang),
      });
    }),
});
