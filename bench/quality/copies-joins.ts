import assert from 'node:assert/strict';
import {
  DEFAULT_SHINGLE_JOIN,
  reachesThreshold,
  type ShingleJoinOptions,
} from '../../src/join/copies/sketch-comparison.ts';
import { componentsOf } from '../../src/lib/union-find.ts';
import { overlapOf } from '../../src/sketch/resemblance.ts';
import { DEFAULT_SKETCH, type ShingleSketch, sketchText } from '../../src/sketch/shingle-sketch.ts';
import type { SketchTable } from '../../src/sketch/sketch-table.ts';
import type { TokenSequence } from '../../src/text/token-sequence.ts';
import { joinShingles } from '../../test/join/copies/in-memory.ts';
import { round, type Table } from '../bench.ts';

const JOINS: readonly (readonly [name: string, options: Partial<ShingleJoinOptions>])[] = [
  ['shingles', {}],
  ['super-shingles', { by: 'super-shingles' }],
  ['containment', { measure: 'containment' }],
];

/** What each kind of join costs and finds; `table` is of distinct shingle sets. */
export function joinTable(table: SketchTable): Table {
  const rows = [0.95, 0.9, 0.8].flatMap((threshold) => {
    let byShingles = 0;
    return JOINS.map(([name, options]) => {
      const startedAt = process.cpuUsage();
      const { pairs, report } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, ...options, threshold });
      const roots = componentsOf(table.pageCount, pairs.a, pairs.b);
      const { user, system } = process.cpuUsage(startedAt);
      if (name === 'shingles') byShingles = pairs.a.length;
      if (name === 'super-shingles') assert.ok(pairs.a.length <= byShingles, 'each of them is compared');
      const sizes = new Map<number, number>();
      for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1);
      return [
        threshold,
        name,
        report.candidateCount,
        round((user + system) / 1e6, 1),
        pairs.a.length,
        round(pairs.a.length / byShingles, 4),
        Math.max(...sizes.values()),
      ];
    });
  });
  return {
    caption: `uci-crawl: joins of ${table.pageCount} distinct texts, w = 10, template left in`,
    columns: [
      'threshold',
      'by',
      'candidates',
      'processor s',
      'pairs',
      'of the pairs by shingles',
      'largest cluster',
    ],
    rows,
  };
}

const EXCERPTS = [25, 50, 100, 200, 400];
const PAGE_SIZES = [500, 2000, 8000];

/** Excerpts from the middle of pages, and whether their sketches tell that they lie in the page. */
export class Excerpts {
  readonly #counts = new Map<string, { all: number; found: number }>();

  add(text: string, tokens: TokenSequence, whole: ShingleSketch): void {
    const { count, starts, ends } = tokens;
    const size = PAGE_SIZES.findLast((least) => count >= least);
    if (size === undefined) return;
    for (const length of EXCERPTS) {
      const first = (count - length) >> 1;
      const excerpt = sketchText(text.slice(starts[first], ends[first + length - 1]), DEFAULT_SKETCH);
      const overlap = overlapOf(excerpt, whole);
      const pair = { ...overlap, limitOfA: excerpt.limit, limitOfB: whole.limit };
      const options = { ...DEFAULT_SHINGLE_JOIN, measure: 'containment', threshold: 0.8 } as const;
      const key = `${size} ${length}`;
      const known = this.#counts.get(key) ?? { all: 0, found: 0 };
      known.all++;
      if (reachesThreshold(pair, options)) known.found++;
      this.#counts.set(key, known);
    }
  }

  table(): Table {
    const rows = PAGE_SIZES.map((size) => [
      size,
      this.#counts.get(`${size} 25`)!.all,
      ...EXCERPTS.map((length) => {
        const { all, found } = this.#counts.get(`${size} ${length}`)!;
        return round(found / all);
      }),
    ]);
    return {
      caption:
        'uci-crawl: share of excerpts found to be contained (.8) in the page they are cut from, by their tokens',
      columns: ['tokens of the page, from', 'pages', ...EXCERPTS.map(String)],
      rows,
    };
  }
}
