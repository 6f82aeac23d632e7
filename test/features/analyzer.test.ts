import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Analyzer } from '../../src/features/counts/analyzer.ts';
import { languageOf } from '../../src/features/counts/language.ts';
import { key53 } from '../../src/lib/keys/key-table.ts';
import { lexiconGeneration } from '../../src/text/lexicon.ts';
import { takeWords } from '../../src/text/take-words.ts';
import { internTokens } from '../../src/text/text-kernel.ts';
import { WordSequence } from '../../src/text/word-sequence.ts';
import { longTest } from '../long-test.ts';

type Spill = ConstructorParameters<typeof Analyzer>[0]['spill'];
type MetForm = Parameters<Spill>[0] extends Iterable<infer Form> ? Form : never;

const SEED = 20262;

function analyzer(stopWords = ['the', 'of']): { analyzer: Analyzer; spills: MetForm[][] } {
  const spills: MetForm[][] = [];
  const spill = (forms: Iterable<MetForm>) => spills.push([...forms]);
  return { analyzer: new Analyzer({ stopWords: new Set(stopWords), spill }), spills };
}

/** The stems of a page of this text, null for stop words. */
function stemsOf(porter: Analyzer, text: string, lang: string | null = 'en'): (string | null)[] {
  porter.beginPage();
  const words = new WordSequence();
  takeWords(text, internTokens(text), words);
  const stems = new Int32Array(words.count);
  porter.takeStems(words, languageOf(lang), stems);
  return Array.from(stems, (stem) => (stem < 0 ? null : porter.stem(stem)));
}

test('words are stemmed by the language of their page; English of a-z, and where none is said', () => {
  const { analyzer: porter } = analyzer();
  assert.deepEqual(stemsOf(porter, 'databases'), ['databas']);
  assert.deepEqual(stemsOf(porter, 'databases', 'ja'), ['databases']);
  assert.deepEqual(stemsOf(porter, 'databases', null), ['databas']);
  assert.deepEqual(stemsOf(porter, 'cafés'), ['cafés']);
  assert.deepEqual(stemsOf(porter, 'Häuser Haus Datenbanken', 'de'), ['haus', 'haus', 'datenbank']);
  assert.deepEqual(stemsOf(porter, 'chevaux cheval', 'fr'), ['cheval', 'cheval']);
  assert.deepEqual(stemsOf(porter, 'книгами книги', 'ru'), ['книг', 'книг']);
  // Four letters less: stays.
  assert.deepEqual(stemsOf(porter, 'continuellement', 'fr'), ['continuellement']);
});

test('a stop word has no stem, and is matched before stemming', () => {
  const { analyzer: porter, spills } = analyzer(['being']);
  assert.deepEqual(stemsOf(porter, 'being being be'), [null, null, 'be']);
  assert.deepEqual(stemsOf(porter, 'being', 'ja'), [null]);
  porter.drain();
  assert.deepEqual(spills, [[{ form: 'be', stem: 'be', key: key53('be') }]]);
});

test('function words are those of the language, unless the stop words are given', () => {
  const builtIn = new Analyzer({ stopWords: null, spill: () => {} });
  assert.deepEqual(stemsOf(builtIn, 'weil the war', 'de'), [null, null, null]);
  assert.deepEqual(stemsOf(builtIn, 'weil the war', 'en'), ['weil', null, 'war']);
  assert.deepEqual(stemsOf(analyzer().analyzer, 'weil the war', 'de'), ['weil', null, 'war']);
});

test('a form is spilled once', () => {
  const { analyzer: porter, spills } = analyzer();
  stemsOf(porter, 'page page');
  porter.drain();
  porter.drain();
  stemsOf(porter, 'page pages');
  porter.drain();
  assert.deepEqual(
    spills.map((spill) => spill.map(({ form }) => form)),
    [['page'], ['pages']],
  );
});

test('two analyzers of one lexicon do not mix', () => {
  const { analyzer: one, spills: ofOne } = analyzer(['cats']);
  const { analyzer: other, spills: ofOther } = analyzer([]);
  assert.deepEqual(stemsOf(one, 'cats dogs'), [null, 'dog']);
  assert.deepEqual(stemsOf(other, 'dogs cats'), ['dog', 'cat']);
  one.drain();
  other.drain();
  assert.deepEqual([ofOne.flat().length, ofOther.flat().length], [1, 2]);
});

longTest('what the lexicon forgets is spilled before, and learned again', () => {
  const { analyzer: porter, spills } = analyzer();
  const before = lexiconGeneration();
  stemsOf(porter, 'cats the cats');
  // As many words as the lexicon has room for.
  stemsOf(porter, Array.from({ length: 140_000 }, (_, i) => wordOf(i)).join(' '), 'ja');
  assert.equal(lexiconGeneration(), before);
  assert.deepEqual(stemsOf(porter, 'dogs cats the'), ['dog', 'cat', null]);
  assert.equal(lexiconGeneration(), before + 1);
  assert.equal(spills.length, 1);
  assert.equal(spills[0]!.length, 140_001);
  porter.drain();
  const uses = spills.flat().filter(({ form }) => form === 'cats');
  assert.deepEqual(
    uses.map(({ stem }) => stem),
    ['cat', 'cat'],
  );
});

/** Words of letters that are none of the other test's. */
function wordOf(i: number): string {
  return `q${i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}q`;
}

test('however pages are cut, every form that was met is spilled with its stem', () => {
  const use = fc.tuple(
    fc.constantFrom('cats', 'cat', 'the', 'running', 'über', 'dogs'),
    fc.constantFrom('en', 'de', 'ja'),
  );
  fc.assert(
    fc.property(fc.array(use, { maxLength: 100 }), fc.integer({ min: 1, max: 8 }), (uses, drainEvery) => {
      const { analyzer: porter, spills } = analyzer();
      const expected = new Set<string>();
      for (const [i, [form, lang]] of uses.entries()) {
        const [stem] = stemsOf(porter, form, lang);
        if (stem !== null) expected.add(`${form} ${stem}`);
        if (i % drainEvery === 0) porter.drain();
      }
      porter.drain();
      const spilled = spills.map((forms) => forms.map(({ form, stem }) => `${form} ${stem}`));
      assert.deepEqual([...new Set(spilled.flat())].sort(), [...expected].sort());
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('the stem of one form is that of a text which holds it alone', () => {
  const { analyzer: porter } = analyzer();
  for (const [form, lang] of [
    ['databases', 'en'],
    ['databases', 'ja'],
    ['datenbanken', 'de'],
    ['the', 'en'],
  ] as const) {
    porter.beginPage();
    assert.deepEqual([porter.stemOf(form, languageOf(lang))], stemsOf(porter, form, lang));
  }
});
