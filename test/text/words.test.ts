import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachWord } from '../../src/text/words.ts';

const MAX_WORD_LETTERS = 40;

const SEED = 20261;

function words(text: string): string[] {
  const found: string[] = [];
  forEachWord(text, (word) => found.push(word));
  return found;
}

function forms(text: string): string[] {
  const found: string[] = [];
  forEachWord(text, (_, start, end) => found.push(text.slice(start, end)));
  return found;
}

test('words are runs of letters in lower case; digits and all else separate', () => {
  assert.deepEqual(words('The QUICK-brown fox2jumps, over_the lazy dog.'), [
    ...['the', 'quick', 'brown', 'fox', 'jumps', 'over', 'the', 'lazy', 'dog'],
  ]);
  assert.deepEqual(words(''), []);
  assert.deepEqual(words(' \n123 -- !@[`{'), []);
});

test('a word of one letter is dropped, an alphabet or not', () => {
  assert.deepEqual(words('a I x é Ж e\u0301 h2o mp3'), ['mp']);
});

test('a word of more than forty letters is dropped', () => {
  assert.deepEqual(words(`${'a'.repeat(MAX_WORD_LETTERS)} ${'b'.repeat(MAX_WORD_LETTERS + 1)} end`), [
    'a'.repeat(MAX_WORD_LETTERS),
    'end',
  ]);
  assert.deepEqual(words(`${'é'.repeat(MAX_WORD_LETTERS + 1)} end`), ['end']);
  assert.deepEqual(words(`ab${'\u0301'.repeat(1000)} end`), ['end']);
});

test('an apostrophe between letters is dropped, elsewhere it separates', () => {
  assert.deepEqual(words("Don't don’t rock'n'roll 'tis dogs' 'quoted'"), [
    ...['dont', 'dont', 'rocknroll', 'tis', 'dogs', 'quoted'],
  ]);
  assert.deepEqual(words("''bold''italic"), ['bold', 'italic']);
});

test('soft hyphens and joiners inside a word are dropped', () => {
  assert.deepEqual(words('hyphen\u00adation co\u200doperate'), ['hyphenation', 'cooperate']);
});

test('other alphabets are words too, in lower case', () => {
  assert.deepEqual(words('Éire naïve Straße ΟΔΟΣ МОСКВА हिन्दी שלום'), [
    ...['éire', 'naïve', 'straße', 'οδος', 'москва', 'हिन्दी', 'שלום'],
  ]);
  assert.deepEqual(words('İstanbul istanbul'), ['istanbul', 'istanbul']);
});

test('a Korean syllable alone is a word, composed or not', () => {
  assert.deepEqual(words('물 \u1106\u116e\u11af 한국어'), ['물', '물', '한국어']);
});

test('scripts without spaces give overlapping pairs of characters', () => {
  assert.deepEqual(words('東京タワー。中'), ['東京', '京タ', 'タワ', 'ワー', '中']);
  assert.deepEqual(words('Web服务器x'), ['web', '服务', '务器']);
  assert.deepEqual(words('\u{20000}\u{20001}\u{20002}'), ['\u{20000}\u{20001}', '\u{20001}\u{20002}']);
});

test('letters and kana of the other width are those of the usual one, at their places', () => {
  assert.deepEqual(words('ＡＰＩ ａpi Ａpiｓ ＡＢ１２ＣＤ'), ['api', 'api', 'apis', 'ab', 'cd']);
  assert.deepEqual(words('ｶﾞｲﾄﾞ と ﾊﾟﾝ'), words('ガイド と パン'));
  assert.deepEqual(words('ｻｰﾋﾞｽ案内'), ['サー', 'ービ', 'ビス', 'ス案', '案内']);
  assert.deepEqual(forms('ＡＰＩのｶﾞｲﾄﾞ'), ['ＡＰＩ', 'のｶﾞ', 'ｶﾞｲ', 'ｲﾄﾞ']);
  // A mark that a kana has no sound with, or that no kana stands before.
  assert.deepEqual(words('ｱﾞ ﾞﾟ カﾞ'), ['ア\u3099', 'ガ']);
});

test('ligatures, strokes that stretch and signs of vowels make no other word', () => {
  assert.deepEqual(words('deﬁne eﬃcient Staﬀ'), ['define', 'efficient', 'staff']);
  assert.deepEqual(words('محـــمد محمّد محمد ـــ كِتَابٌ أُمّ'), ['محمد', 'محمد', 'محمد', 'كتاب', 'أم']);
  assert.deepEqual(forms('في محـــمّد'), ['في', 'محـــمّد']);
  assert.deepEqual(words('葛\u{e0100}城'), ['葛城']);
});

test('a character of a script without spaces keeps its marks', () => {
  assert.deepEqual(words('ที่นี่'), ['ที่นี่']);
  assert.deepEqual(words('か\u3099き'), ['がき']);
});

test('start and end are where the word stands in the text', () => {
  assert.deepEqual(forms("It’s CAFÉ, don't: 東京都"), ['It’s', 'CAFÉ', "don't", '東京', '京都']);
});

test('lone surrogates and marks without a letter separate', () => {
  assert.deepEqual(words('ab\ud800cd \u0301ef'), ['ab', 'cd', 'ef']);
});

const PIECES = [
  'a',
  'b',
  'Z',
  'é',
  'e\u0301',
  'Ω',
  'ß',
  '東',
  'か',
  'ก',
  'ี',
  'Ｂ',
  'ｶ',
  'ﾞ',
  '물',
  "'",
  '’',
  '\u00ad',
  ' ',
  '1',
  '-',
  '\u{20000}',
];
const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

test('words of any text ascend, hold no separator and are normalized', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let last = -1;
      forEachWord(text, (word, start, end) => {
        assert.ok(start > last && end > start && end <= text.length);
        last = start;
        assert.match(word, /^[\p{L}\p{M}]+$/u);
        assert.equal(word, word.normalize('NFC').toLowerCase());
      });
    }),
    { seed: SEED, numRuns: 800 },
  );
});

test('canonically equal texts have the same words', () => {
  fc.assert(
    fc.property(anyText, (text) =>
      assert.deepEqual(words(text.normalize('NFD')), words(text.normalize('NFC'))),
    ),
    { seed: SEED, numRuns: 800 },
  );
});

test('ASCII text gives the words of a plain regular expression', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      const slow = text
        .replace(/(?<=[a-z])'(?=[a-z])/gi, '')
        .split(/[^a-z]+/i)
        .filter((word) => word.length > 1 && word.length <= MAX_WORD_LETTERS)
        .map((word) => word.toLowerCase());
      assert.deepEqual(words(text), slow);
    }),
    { seed: SEED, numRuns: 1200 },
  );
});

test('words on both roads are the same: an accent elsewhere changes nothing', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z' ]{0,60}$/), (text) => {
      const slow = text.split(' ').flatMap((chunk) => words(`${chunk}\u2014`));
      assert.deepEqual(words(text), slow);
    }),
    { seed: SEED, numRuns: 1000 },
  );
});
