import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mix32 } from '../../src/lib/hash.ts';
import { shingleCount, shingleKeys } from '../../src/text/shingle.ts';
import {
  countControls,
  internTokens,
  NO_ENTRY,
  SPAN_SIZE,
  shingleSet,
  sortKeys,
} from '../../src/text/text-kernel.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { assertAsRead, testUnits } from './as-read.ts';

const SEED = 20265;

// Of the scripts of one width that follow, one unit of 31; tokens.long.ts reads all.
testUnits((unit) => unit < 0x3400 || unit >= 0xd700 || unit % 31 === 0);

const PIECES = [
  ...['a', 'b', 'Z', 'the', 'Reading', 'mp3', '42', 'x86', 'internationalization', 'abcdefghijklmnop'],
  ...['é', 'É', 'ÿ', 'e\u0301', 'ß', 'ª', '²', 'µ', 'Ω', 'ΣΑΣ', 'İ', 'Ж', '\u0301', '\u{10400}', '\ud800'],
  ...[
    '東',
    'か',
    'か\u3099',
    'ก',
    'ี',
    '물',
    'हिन्दी',
    '\u{20000}',
    '😀',
    '\udc00',
    'ℂ',
    'ⅷ',
    'Ａ',
    '１',
    'ｶ',
    'ﾊ',
    'ﾞ',
    'ﾟ',
  ],
  ...["'", "''", '’', '\u00ad', '\u200d', ' ', ' ', ' ', '\0', '\n', '-', '“', '”', '—', '…', '\u00a0', '.'],
];

test('tokens and words of any text are those that units read one by one give', () => {
  const piece = fc.constantFrom(...PIECES);
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
  // Blocks are 64 units: what stands before the text moves it over their seams.
  fc.assert(
    fc.property(text, fc.nat(130), (tail, indent) => assertAsRead('.'.repeat(indent) + tail)),
    { seed: SEED, numRuns: 1200 },
  );
});

test('an apostrophe joins over the seam of two blocks, and only between letters', () => {
  for (let length = 60; length < 70; length++) {
    const run = 'b'.repeat(10).padStart(length, ' ');
    for (const tail of ["'", "'c", "''c", "'’c", "' c", '’東', "'1"]) assertAsRead(run + tail);
  }
});

test('tokens that differ in the case of A-Z have one number, all others have their own', () => {
  const forms = ['abc', 'abd', 'ab', 'abc1', 'é', 'É', 'abcdefghijklmnop', "don't", 'dont', 'bbb'];
  const text = [...forms, ...forms.map((form) => form.replace(/[a-z]/g, (letter) => letter.toUpperCase()))];
  const spans = internTokens(text.join(' '));
  const entries = text.map((_, i) => spans[SPAN_SIZE * i + 2]!);
  assert.deepEqual(entries.slice(forms.length), entries.slice(0, forms.length));
  assert.equal(new Set(entries).size, forms.length);
  assert.equal(internTokens('abcdefghijklmnopq')[2], NO_ENTRY);
  assert.notEqual(internTokens('Жук')[2], internTokens('жук')[2]);
  assert.equal(internTokens('жук')[2], internTokens('Жук - жук')[SPAN_SIZE + 2]);
  assert.equal(internTokens('漢字')[2], NO_ENTRY);
});

test('the shingle set is the distinct keys in their order, its digest the same in any order', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 300 }), fc.integer({ min: 1, max: 28 }), (words, shingleSize) => {
      const tokens = readTokens(words.join(' '));
      const keys = new Float64Array(shingleCount(tokens.count, shingleSize));
      shingleKeys(tokens, shingleSize, keys);
      const set = shingleSet(tokens, shingleSize);
      const distinct = [...new Set(keys)];
      assert.deepEqual([...set.keys], distinct);
      let high = 0;
      let low = 0;
      for (const key of distinct) {
        const mixed = mix32((key >>> 0) ^ Math.imul(Math.floor(key / 2 ** 32), 0x9e3779b1));
        high = (high + mixed) | 0;
        low = (low + Math.imul(mixed ^ (mixed >>> 15), (key >>> 0) | 1)) | 0;
      }
      assert.deepEqual([set.digestHigh, set.digestLow], [high, low]);
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('keys come out as the library sorts them, however they are spread', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 44 - 1 }),
    fc.integer({ min: 15 * 2 ** 40, max: 2 ** 44 - 1 }),
    fc.integer({ min: 0, max: 3 }),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 200 }), fc.nat(3), fc.boolean(), (list, spare, isCut) => {
      const limit = isCut ? Math.max(...list, 0) + 1 : Infinity;
      const keys = Float64Array.from([...list, ...new Array<number>(spare).fill(7)]);
      assert.deepEqual(sortKeys(keys, list.length, limit), Float64Array.from(list).sort());
      assert.equal(keys.length, list.length + spare);
    }),
    { seed: SEED, numRuns: 300 },
  );
});

test('a set larger than the memory of the kernel is sorted too', () => {
  const keys = Float64Array.from({ length: 500_000 }, (_, i) => (i * 2_654_435_761 * 977) % 2 ** 44);
  assert.deepEqual(sortKeys(keys, keys.length, Infinity), keys.toSorted());
});

test('control characters that text does not hold are counted, however many bytes there are', () => {
  const isControl = (byte: number) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);
  for (let byte = 0; byte < 256; byte++) {
    assert.equal(countControls(Uint8Array.of(byte)), isControl(byte) ? 1 : 0);
  }
  const byte = fc.oneof(fc.nat(255), fc.nat(40));
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 100 }), (bytes) => {
      assert.equal(countControls(Uint8Array.from(bytes)), bytes.filter(isControl).length);
    }),
    { seed: SEED },
  );
});
