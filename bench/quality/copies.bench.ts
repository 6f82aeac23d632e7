/**
 * Measured   The sketches and the join of Broder et al. 1997: speed; estimates of resemblance against the exact
 *            figures; containment of plagiarized answers; page versions and translations; copies of a real crawl
 *            against clusters chained by exact Jaccard; growth from 10,000 to a million pages.
 * Corpus     clough-stevenson (100 short texts), httpd-docs (3,083 pages, and 5,423 of its history), uci-crawl (53,293
 *            pages), and pages made up of random shingles, one in five an edited copy of the page before.
 * Notes      The labels of uci-crawl and of httpd-docs come from 5-word shingles over another extraction of the text;
 *            uci clusters are chained, so that one pair on the wrong side of .9 can part or join hundreds. They are not
 *            all that their own rule joins: pages of one wiki are parted though their exact Jaccard is up to .99. So a
 *            join that misses no pair cannot reach a precision of .98 against them; the last table of the crawl says
 *            what it reaches where such pairs are joined (1, for all shingles of that text, by construction).
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Random } from '../../src/lib/random.ts';
import { componentsOf } from '../../src/lib/union-find.ts';
import { containment, overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';
import type { SketchTable } from '../../src/sketch/sketch-table.ts';
import { keyLimitOf } from '../../src/text/shingle.ts';
import { joinShingles } from '../../test/join/copies/in-memory.ts';
import { WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { announce, type BenchResult, round, type Table } from '../bench.ts';
import { dataFile, readTsv } from '../corpora/data.ts';
import { crawlTables } from './copies-of-crawl.ts';
import { labelTable } from './copies-of-labels.ts';
import { versionTables } from './copies-of-versions.ts';

export async function run(): Promise<BenchResult> {
  const corpus = { answers: 95, versions: 3083, history: 5423, crawl: 53_293, madeUp: 1_000_000 };
  announce(corpus);
  const tables: Table[] = [containmentTable()];
  tables.push(...(await versionTables()));
  tables.push(...(await crawlTables()));
  tables.push(await labelTable());
  tables.push(growthTable());
  assert.ok(tables.every((table) => table.rows.length > 0));
  return { corpus, tables };
}

const KEYS = 100;

/** Pages of random keys; every fifth takes 90 of 100 from the page before, so that the two resemble at .82. */
function madeUp(pageCount: number): SketchTable {
  const random = new Random(pageCount);
  const keys = new Float64Array(pageCount * KEYS);
  for (let page = 0; page < pageCount; page++) {
    const own = keys.subarray(page * KEYS, (page + 1) * KEYS);
    const copied = page % 5 === 4 ? 90 : 0;
    own.set(keys.subarray((page - 1) * KEYS, (page - 1) * KEYS + copied));
    for (let i = copied; i < KEYS; i++)
      own[i] = random.below(256) * 2 ** 32 + random.nextUint32() + keyLimitOf(1);
    own.sort();
  }
  return {
    pageCount,
    offsets: Float64Array.from({ length: pageCount + 1 }, (_, page) => page * KEYS),
    keys,
    limits: new Float64Array(pageCount).fill(Number.POSITIVE_INFINITY),
    shingleCounts: new Uint32Array(pageCount).fill(KEYS),
  };
}

function growthTable(): Table {
  const rows = [10_000, 100_000, 1_000_000].map((pageCount) => {
    const table = madeUp(pageCount);
    const startedMs = performance.now();
    const { pairs, report } = joinShingles(table);
    componentsOf(pageCount, pairs.a, pairs.b);
    const seconds = (performance.now() - startedMs) / 1000;
    assert.ok(pairs.a.length >= 0.995 * (pageCount / 5), 'planted copies are found');
    return [
      pageCount,
      report.entryCount,
      pairs.a.length,
      round(pairs.a.length / (pageCount / 5), 4),
      round(seconds, 2),
      round((1e6 * seconds) / pageCount, 1),
    ];
  });
  return {
    caption: `Growth: join and clusters of made-up pages of ${KEYS} shingles, one in five a copy`,
    columns: ['pages', 'entries sorted', 'pairs', 'share of planted pairs', 'seconds', 'us a page'],
    rows,
  };
}

const GRADES = ['cut', 'light', 'heavy', 'non'] as const;

/** Mean containment of answers in their source by grade of copying, and how well it tells copied from not. */
function containmentTable(): Table {
  const labels = readTsv('clough-stevenson/labels.tsv', ['file', 'category', 'source']);
  const rows = [3, 5, 10].map((shingleSize) => {
    const options = { ...WHOLE_SKETCH, shingleSize };
    const sketchOf = (file: string) =>
      sketchText(readFileSync(dataFile(`clough-stevenson/text/${file}`), 'latin1'), options);
    const contained = Object.fromEntries(GRADES.map((grade) => [grade, [] as number[]]));
    const alike = Object.fromEntries(GRADES.map((grade) => [grade, [] as number[]]));
    for (const label of labels) {
      const overlap = overlapOf(sketchOf(label.file), sketchOf(label.source));
      contained[label.category]!.push(containment(overlap).value);
      alike[label.category]!.push(resemblance(overlap).value);
    }
    const means = GRADES.map((grade) => mean(contained[grade]!));
    assert.ok(
      means.every((value, i) => i === 0 || value < means[i - 1]!),
      'cut > light > heavy > non',
    );
    const copied = [...contained['cut']!, ...contained['light']!, ...contained['heavy']!];
    return [
      shingleSize,
      ...GRADES.map((grade) => `${round(mean(contained[grade]!))} / ${round(mean(alike[grade]!))}`),
      round(areaUnderCurve(copied, contained['non']!), 4),
    ];
  });
  return {
    caption: 'clough-stevenson: mean containment / resemblance with the source',
    columns: ['words a shingle', ...GRADES, 'AUC of containment'],
    rows,
  };
}

function areaUnderCurve(positive: readonly number[], negative: readonly number[]): number {
  let wins = 0;
  for (const p of positive) for (const n of negative) wins += p > n ? 1 : p === n ? 0.5 : 0;
  return wins / positive.length / negative.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
