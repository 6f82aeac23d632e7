import { copyParameters } from 'akin-web/rooms/indexer/options/copy-parameters';
import { equalFigure } from 'akin-web/rooms/join/copies/copy-relation';
import { markSketch } from 'akin-web/rooms/join/copies/template-shingles';
import { lookupCount } from 'akin-web/rooms/sketch/lookup-keys';
import { superShingles } from 'akin-web/rooms/sketch/super-shingle';
import type { RowOf } from '../record/columns.ts';
import { float64s, numbersOf } from '../record/packed.ts';
import { defineStage } from '../record/stage.ts';

const INPUT = {
  /** A host, or a part of its pages. */
  host: 'text',
  page_id: 'long',
  keys: 'binary?',
  limit: 'double',
  shingle_count: 'int',
  /** The template keys of the host, ascending, separated by blanks: in the first row, which is no page. */
  template: 'text?',
} as const;

/**
 * The stage `mark`: what is template in a sketch, and by which keys it finds others. See join/copies/template-shingles.ts.
 */
export const markStage = defineStage({
  name: 'mark',
  doc: 'what is template in the sketches of a host, and by which keys they find others',
  order: 'the rows of a host together, that with its template first',
  input: INPUT,
  output: {
    page_id: 'long',
    /** uint8 a key: 1 where it is template; null where none is. */
    template_marks: 'binary?',
    /** The same of keys that bring no pages together. */
    silent: 'binary?',
    template_count: 'int',
    is_bare: 'boolean',
    listed_count: 'int',
    /** Below it the page is listed by all its keys. */
    listed_limit: 'double',
    /** Of a page and one that is equal, both numbers of the fraction that is stored. */
    own_figure: 'int',
    /** Brings pages together that are alike. */
    crowd: 'long',
  },
  open({ options }) {
    const { template_minimum_keys: minimumKeys } = copyParameters(options);
    const none = new Float64Array(0);
    let host: string | null = null;
    let template = none;
    return {
      take(row: RowOf<typeof INPUT>, emit) {
        if (row.host !== host) {
          host = row.host;
          template = row.template === null ? none : Float64Array.from(numbersOf(row.template));
        }
        if (row.keys === null) return;
        const keys = float64s(row.keys);
        const sketch = { keys, limit: row.limit, shingleCount: row.shingle_count };
        const { isTemplate, isBare } = markSketch(sketch, template, minimumKeys);
        const count = isTemplate.reduce((sum, mark) => sum + mark, 0);
        const listed = lookupCount(keys);
        emit({
          page_id: row.page_id,
          template_marks: count === 0 ? null : isTemplate,
          silent: count === 0 || isBare ? null : isTemplate,
          template_count: count,
          is_bare: isBare,
          listed_count: listed,
          listed_limit: listed === keys.length ? row.limit : keys[listed]!,
          own_figure: equalFigure(keys.length).shared,
          crowd: superShingles(sketch)[0] ?? 0,
        });
      },
    };
  },
});
