import { clusteringsOf, copyParameters } from 'akin-web/rooms/indexer/options/copy-parameters';
import { pairFigure } from 'akin-web/rooms/join/copies/copy-relation';
import { type CopyPairs, checkPairs, isCopy, pairAt } from 'akin-web/rooms/join/copies/pair-checks';
import { SketchComparison } from 'akin-web/rooms/join/copies/sketch-comparison';
import type { TemplateMarks } from 'akin-web/rooms/join/copies/template-shingles';
import { relationOptionsOf } from 'akin-web/rooms/relations/copy';
import { type SketchTable, tableOf } from 'akin-web/rooms/sketch/sketch-table';
import { SIMHASH_LANES } from 'akin-web/rooms/sketch/word-simhash';
import type { RowOf } from '../record/columns.ts';
import { float64s, uint32s } from '../record/packed.ts';
import { defineStage, type Emit, type StageContext } from '../record/stage.ts';

/** Pages compared with one at once. */
const BATCH = 256;

const INPUT = {
  a: 'long',
  /** `a` itself in the first row of its group. */
  b: 'long',
  /** Shingles by which they met. */
  count: 'int',
  /** What follows is of `b`. */
  host: 'text',
  lang: 'text',
  keys: 'binary',
  limit: 'double',
  shingle_count: 'int',
  template_marks: 'binary?',
  template_count: 'int',
  is_bare: 'boolean',
  silent_count: 'int',
  listed_limit: 'double',
  crowded_count: 'int',
  simhash: 'binary?',
} as const;
const OUTPUT = {
  a: 'long',
  b: 'long',
  shared: 'int',
  of_a: 'int',
  of_b: 'int',
  template: 'int',
  /** Their resemblance as the fraction that is stored. */
  stored_shared: 'int',
  stored_total: 'int',
  same_site: 'boolean',
  /** kept, template, translation or words: what it is, or why it is none; compared: `shared` pairs were, in this task. */
  verdict: 'text',
  /** Bit n: the pair is at or above the threshold of the nth clustering. */
  levels: 'int',
} as const;
type Sketch = RowOf<typeof INPUT>;

/**
 * The stage `resemble`: whether pages that met are copies, by their whole sketches and the second opinions.
 * See join/copies/sketch-comparison.ts and pair-checks.ts.
 */
export const resembleStage = defineStage({
  name: 'resemble',
  doc: 'whether a page and those that it met are copies',
  order: 'the rows of a together, that of a itself first',
  input: INPUT,
  output: OUTPUT,
  open(context) {
    let own: Sketch | null = null;
    let others: Sketch[] = [];
    let comparedCount = 0;
    const flush = (emit: Emit<RowOf<typeof OUTPUT>>) => {
      const rows = others;
      others = [];
      if (own !== null && rows.length > 0) comparedCount += comparePages(own, rows, context, emit);
    };
    return {
      take(row, emit) {
        if (row.a === row.b) {
          flush(emit);
          own = row;
        } else if (own?.a === row.a) {
          others.push(row);
          if (others.length === BATCH) flush(emit);
        } else throw new Error(`page ${row.a} came without its own sketch`);
      },
      end(emit) {
        flush(emit);
        const none = {
          of_a: 0,
          of_b: 0,
          template: 0,
          stored_shared: 0,
          stored_total: 0,
          same_site: false,
          levels: 0,
        };
        emit({ a: -1, b: -1, shared: comparedCount, ...none, verdict: 'compared' });
      },
    };
  },
});

/** Returns how many sketches were compared. */
function comparePages(
  own: Sketch,
  others: readonly Sketch[],
  { options }: StageContext,
  emit: Emit<RowOf<typeof OUTPUT>>,
): number {
  const rows = [own, ...others];
  const parameters = copyParameters(options);
  const clusterings = clusteringsOf(options);
  const relation = relationOptionsOf(parameters, clusterings);
  const table = tableOf(
    rows.map(({ keys, limit, shingle_count: shingleCount }) => ({
      keys: float64s(keys),
      limit,
      shingleCount,
    })),
  );
  const comparison = new SketchComparison(table, relation.join, {
    listedLimits: Float64Array.from(rows, (row) => row.listed_limit),
    crowdedOfPage: Uint32Array.from(rows, (row) => row.crowded_count),
    silentOfPage: Uint32Array.from(rows, (row) => row.silent_count),
  });
  const marks = relation.template === null ? null : marksOf(rows, table);
  const hosts = numbersOf(rows.map((row) => row.host));
  const languages = rows.map((row) => row.lang);
  const facts = {
    siteOfPage: hosts,
    ...(parameters.language_check && {
      languageOfPage: numbersOf(['', ...languages]).subarray(1),
    }),
    ...(parameters.same_site_agreement > 0 && { simhashes: simhashesOf(rows) }),
  };
  for (let b = 1; b < rows.length; b++) {
    const overlap = comparison.compare(0, b, rows[b]!.count);
    if (overlap === null) continue;
    const { shared, ofA, ofB } = overlap;
    const one = (value: number) => Uint32Array.of(value);
    const pair = { a: one(0), b: one(b), shared: one(shared), ofA: one(ofA), ofB: one(ofB) };
    const { pairs, report } = checkPairs(table, pair, marks, facts, { ...relation.join, ...relation });
    const isKept = pairs.a.length === 1;
    const stored = pairFigure(shared, ofA, ofB);
    emit({
      a: own.a,
      b: rows[b]!.b,
      shared,
      of_a: ofA,
      of_b: ofB,
      template: isKept ? pairs.template[0]! : 0,
      stored_shared: stored.shared,
      stored_total: stored.total,
      same_site: hosts[0] === hosts[b],
      verdict: isKept
        ? 'kept'
        : report.translationCount > 0
          ? 'translation'
          : report.templateRejectedCount > 0
            ? 'template'
            : 'words',
      levels: isKept ? levelsOf(table, pairs, clusterings, relation.join.minimumSample) : 0,
    });
  }
  return comparison.comparedCount;
}

function levelsOf(
  table: SketchTable,
  pairs: CopyPairs,
  clusterings: ReturnType<typeof clusteringsOf>,
  minimumSample: number,
): number {
  const pair = pairAt(table, pairs, 0);
  return clusterings.reduce(
    (levels, clustering, level) =>
      isCopy(pair, { ...clustering, minimumSample }) ? levels | (1 << level) : levels,
    0,
  );
}

/** The marks of the rows' sketches; what is counted of a collection is not needed of a pair. */
function marksOf(rows: readonly Sketch[], { keys, offsets }: SketchTable): TemplateMarks {
  const isTemplate = new Uint8Array(keys.length);
  for (const [i, row] of rows.entries())
    if (row.template_marks !== null) isTemplate.set(row.template_marks, offsets[i]);
  return {
    isTemplate,
    counts: Uint32Array.from(rows, (row) => row.template_count),
    isBare: Uint8Array.from(rows, (row) => (row.is_bare ? 1 : 0)),
    report: { templateShingleCount: 0, templateEntryCount: 0, templatePageCount: 0, barePageCount: 0 },
  };
}

function simhashesOf(rows: readonly Sketch[]): Uint32Array {
  const simhashes = new Uint32Array(rows.length * SIMHASH_LANES);
  for (const [i, { simhash, b }] of rows.entries()) {
    if (simhash === null) throw new Error(`page ${b} came without its word simhash`);
    simhashes.set(uint32s(simhash), i * SIMHASH_LANES);
  }
  return simhashes;
}

/** Texts numbered in the order in which they are first met. */
function numbersOf(texts: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(texts, (text) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text)!;
  });
}
