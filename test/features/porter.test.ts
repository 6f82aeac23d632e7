import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stemmer } from 'stemmer';
import { porterStem } from '../../src/features/counts/porter.ts';

const VECTORS = new URL('../../../shared/data/vectors/porter/', import.meta.url);

test("Porter's vocabulary has the published stems", {
  skip: existsSync(VECTORS) ? false : 'the Porter vectors are not beside the repository',
}, () => {
  const lines = (name: string) => readFileSync(new URL(name, VECTORS), 'utf8').split('\n');
  const vocabulary = lines('voc.txt');
  const stems = lines('output.txt');
  assert.equal(vocabulary.length, stems.length);
  const wrong = [];
  let tried = 0;
  for (const [i, word] of vocabulary.entries()) {
    // The others have an apostrophe, which no word of ours has.
    if (!/^[a-z]+$/.test(word)) continue;
    tried++;
    if (porterStem(word) !== stems[i]) wrong.push(`${word}: ${porterStem(word)}, not ${stems[i]}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 42_000, `${tried} words`);
});

test('plural, participle and derivation meet in one stem', () => {
  for (const word of ['connect', 'connects', 'connected', 'connecting', 'connection', 'connections']) {
    assert.equal(porterStem(word), 'connect');
  }
});

test('step 2 is as printed: -abli becomes -able, -bli and -logi stay', () => {
  const stems = { conformably: 'conform', possibly: 'possibli', assemblies: 'assembli', biology: 'biologi' };
  for (const [word, stem] of Object.entries(stems)) assert.equal(porterStem(word), stem);
  for (const [word, stem] of Object.entries({
    assembling: 'assembl',
    sly: 'sly',
    logic: 'logic',
    bly: 'bly',
  })) {
    assert.equal(porterStem(word), stem);
  }
});

test('words of two letters are stemmed too', () => {
  for (const [word, stem] of Object.entries({ us: 'u', ss: 'ss', ey: 'ei', by: 'by', ax: 'ax' })) {
    assert.equal(porterStem(word), stem);
  }
});

test('what no step can change is left alone, and nothing else', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const wrong = [];
  for (const start of ['b', 'tra', 'relat', 'communic', 'yell', 'hopefuln', 'electrici']) {
    for (const ending of letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))) {
      const word = start + ending;
      // Where it departs from the package, a word ends in "-bl" or "-log" and one of these.
      if (/(bl|log)(ys?|is?|ies|ied|ying)$/.test(word)) continue;
      if (porterStem(word) !== stemmer(word)) wrong.push(word);
    }
  }
  assert.deepEqual(wrong, []);
});
