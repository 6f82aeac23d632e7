import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { containment, overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';
import { WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { round, type Table } from '../bench.ts';
import { dataFile, readTsv } from '../corpora/data.ts';

const GRADES = ['cut', 'light', 'heavy', 'non'] as const;

/** Mean containment of answers in their source by grade of copying, and how well it tells copied from not. */
export function containmentTable(): Table {
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
