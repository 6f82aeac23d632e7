import { namesBefore } from 'akin-web/rooms/indexer/steps/names';
import type { RowOf } from '../record/columns.ts';
import { byGroup, defineStage } from '../record/stage.ts';

const INPUT = { key: 'long', stem: 'text', form: 'text', votes: 'long' } as const;
const OUTPUT = { key: 'long', stem: 'text', term: 'text' } as const;

/** The stage `term`: the names of a word. Two stems of one key share a feature: the first in string order names it. */
export const termStage = defineStage({
  name: 'term',
  doc: 'of each word its stem, and the form that most pages use first',
  order: 'the forms of a key together',
  input: INPUT,
  output: OUTPUT,
  open: () =>
    byGroup<RowOf<typeof INPUT>, RowOf<typeof OUTPUT>>('key', (rows, emit) => {
      let best = rows[0]!;
      for (const row of rows) {
        const isNamed = row.stem === best.stem && namesBefore(counted(row), counted(best));
        if (row.stem < best.stem || isNamed) best = row;
      }
      emit({ key: best.key, stem: best.stem, term: best.form });
    }),
});

function counted({ form, votes }: { readonly form: string; readonly votes: number }) {
  return { form, count: votes };
}
