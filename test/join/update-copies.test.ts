import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPairs } from '../../src/join/copies/pair-checks.ts';
import { type CopyPairs, DEFAULT_SHINGLE_JOIN, joinShingles } from '../../src/join/copies/shingle-join.ts';
import { updateCopies } from '../../src/join/update-copies.ts';
import { Random } from '../../src/lib/random.ts';
import { componentsOf } from '../../src/lib/union-find.ts';
import { DEFAULT_SKETCH, sketchText } from '../../src/sketch/shingle-sketch.ts';
import { type SketchTable, tableOf } from '../../src/sketch/sketch-table.ts';

const SEED = 19970407;
const SETTINGS = { join: DEFAULT_SHINGLE_JOIN, sameSiteAgreement: 0, sure: 1 };

const sketched = (texts: readonly string[]): SketchTable =>
  tableOf(texts.map((text) => sketchText(text, DEFAULT_SKETCH)));

const words = (random: Random, length: number) =>
  Array.from({ length }, () => `w${random.below(5000)}`).join(' ');

/** A text with some of its words replaced. */
function edited(random: Random, text: string, perMille: number): string {
  return text
    .split(' ')
    .map((word) => (random.below(1000) < perMille ? `v${random.below(5000)}` : word))
    .join(' ');
}

function named({ a, b, shared, ofA, ofB }: CopyPairs): string[] {
  return Array.from(a, (left, i) => `${left} ${b[i]} ${shared[i]} ${ofA[i]} ${ofB[i]}`).sort();
}

test('pairs after any change are those of a join over all pages', () => {
  const random = new Random(SEED);
  const texts: string[] = [];
  for (let family = 0; family < 30; family++) {
    const original = words(random, 40 + random.below(600));
    for (let copy = 0; copy < 4; copy++) texts.push(edited(random, original, 15 * copy));
  }
  const facts = { siteOfPage: Uint32Array.from(texts.keys(), (page) => page % 7) };
  const join = (table: SketchTable) =>
    checkPairs(joinShingles(table, SETTINGS.join).pairs, facts, 0, 1).pairs;
  let pairs = join(sketched(texts));
  let changedPairs = 0;
  for (let round = 0; round < 12; round++) {
    const components = Int32Array.from(componentsOf(texts.length, pairs.a, pairs.b));
    const changed = new Set<number>();
    for (let i = 0; i < 4; i++) changed.add(random.below(texts.length));
    for (const page of changed) {
      const other = texts[random.below(texts.length)]!;
      texts[page] = random.below(3) === 0 ? words(random, 200) : edited(random, other, 20);
    }
    const left = Array.from(changed, (page) => components[page]!);
    const table = sketched(texts);
    // A changed page says nothing of the component that it was in.
    const known = components.map((component, page) => (changed.has(page) ? -1 : component));
    const update = updateCopies(table, facts, known, changed, left, SETTINGS);
    const touched = new Set(update.touched);
    assert.ok(update.touched.length < texts.length / 2, 'most components are left alone');
    const whole = join(table);
    const kept = named(pairs).filter((pair) => !touched.has(Number(pair.split(' ')[0])));
    assert.deepEqual([...kept, ...named(update.pairs)].sort(), named(whole));
    changedPairs += named(whole).filter((pair) => !named(pairs).includes(pair)).length;
    pairs = whole;
  }
  assert.ok(changedPairs > 20, 'the changes made and parted copies');
});
