import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer, type FormCount } from '../../src/features/analyzer.ts';

const SEED = 20262;

function analyzer({ maxForms = 1000, stopWords = ['the', 'of'] } = {}): {
  analyzer: Analyzer;
  spills: FormCount[][];
} {
  const spills: FormCount[][] = [];
  const spill = (forms: Iterable<FormCount>) => spills.push([...forms].map((entry) => ({ ...entry })));
  return { analyzer: new Analyzer({ stopWords: new Set(stopWords), maxForms, spill }), spills };
}

test('English words of a-z are stemmed, all others stand as they are', () => {
  const { analyzer: porter } = analyzer();
  assert.equal(porter.stem('databases', true), 'databas');
  assert.equal(porter.stem('databases', false), 'databases');
  assert.equal(porter.stem('cafés', true), 'cafés');
});

test('a stop word has no stem, and is matched before stemming', () => {
  const { analyzer: porter, spills } = analyzer({ stopWords: ['being'] });
  assert.equal(porter.stem('being', true), '');
  assert.equal(porter.stem('being', true), '');
  assert.equal(porter.stem('being', false), '');
  assert.equal(porter.stem('be', true), 'be');
  porter.drain();
  assert.deepEqual(spills, [[{ form: 'be', stem: 'be', count: 1 }]]);
});

test('forms spill with their counts when there are too many', () => {
  const { analyzer: porter, spills } = analyzer({ maxForms: 2 });
  for (const form of ['cats', 'cat', 'cats', 'dog', 'cat']) porter.stem(form, true);
  assert.deepEqual(spills, [
    [
      { form: 'cats', stem: 'cat', count: 2 },
      { form: 'cat', stem: 'cat', count: 1 },
    ],
  ]);
  porter.drain();
  assert.deepEqual(spills[1], [
    { form: 'dog', stem: 'dog', count: 1 },
    { form: 'cat', stem: 'cat', count: 1 },
  ]);
});

test('draining twice spills once', () => {
  const { analyzer: porter, spills } = analyzer();
  porter.stem('page', true);
  porter.drain();
  porter.drain();
  assert.equal(spills.length, 1);
});

test('whatever the bound, the spilled counts of a form add up to its uses and no spill is above the bound', () => {
  const use = fc.tuple(fc.constantFrom('cats', 'cat', 'the', 'running', 'über', 'dogs'), fc.boolean());
  fc.assert(
    fc.property(fc.array(use, { maxLength: 100 }), fc.integer({ min: 1, max: 8 }), (uses, maxForms) => {
      const { analyzer: porter, spills } = analyzer({ maxForms });
      const expected = new Map<string, number>();
      for (const [form, english] of uses) {
        const stem = porter.stem(form, english);
        const key = `${form} ${stem}`;
        if (stem !== '') expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      porter.drain();
      const spilled = new Map<string, number>();
      for (const { form, stem, count } of spills.flat()) {
        const key = `${form} ${stem}`;
        spilled.set(key, (spilled.get(key) ?? 0) + count);
      }
      assert.deepEqual(new Map([...spilled].sort()), new Map([...expected].sort()));
      assert.ok(spills.every((spill) => spill.length <= maxForms));
    }),
    { seed: SEED, numRuns: 300 },
  );
});
