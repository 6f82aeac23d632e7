import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTokens } from '../../src/text/tokens.ts';
import { testDistinct } from './many-tokens.ts';

const SEED = 19970407;

function forms(text: string): string[] {
  const tokens = readTokens(text);
  return Array.from({ length: tokens.count }, (_, i) => text.slice(tokens.starts[i], tokens.ends[i]));
}

function prints(text: string): string[] {
  const tokens = readTokens(text);
  return Array.from({ length: tokens.count }, (_, i) => `${tokens.high[i]}:${tokens.low[i]}`);
}

test('letters and digits make tokens, all else separates', () => {
  assert.deepEqual(forms('Chapter 12: the  HTTP/1.1 <spec>, re-read.'), [
    'Chapter',
    '12',
    'the',
    'HTTP',
    '1',
    '1',
    'spec',
    're',
    'read',
  ]);
  assert.deepEqual(forms(''), []);
  assert.deepEqual(forms(' -- ... '), []);
});

test('case, apostrophes and soft hyphens make no other token', () => {
  assert.deepEqual(prints("DON'T co\u00adoperate"), prints('don’t cooperate'));
  assert.deepEqual(
    prints('ÉTÉ Ωμέγα Straße'),
    prints('été ωμέγα strasse').slice(0, 2).concat(prints('straße')),
  );
  assert.notDeepEqual(prints('dont'), prints('donut'));
});

test('letters, digits and kana of the other width make no other token, and stand at their places', () => {
  assert.deepEqual(prints('ＡＰＩ ２０２６ ｖ２のｶﾞｲﾄﾞ'), prints('api 2026 v2のガイド'));
  assert.deepEqual(forms('ｖ２のｶﾞｲﾄﾞ'), ['ｖ２', 'の', 'ｶﾞ', 'ｲ', 'ﾄﾞ']);
  // All kana, against the decomposition of Unicode.
  for (let unit = 0xff66; unit <= 0xff9d; unit++) {
    for (const mark of ['', 'ﾞ', 'ﾟ', 'x']) {
      const kana = String.fromCharCode(unit) + mark;
      assert.deepEqual(prints(kana), prints(kana.normalize('NFKC')), kana);
    }
  }
});

test('quotation marks stay outside the token they quote', () => {
  assert.deepEqual(forms("say 'yes' or ''no''"), ['say', 'yes', 'or', 'no']);
});

test('scripts without spaces give one token a character, beyond the 16-bit plane too', () => {
  assert.deepEqual(forms('漢字abcカナ'), ['漢', '字', 'abc', 'カ', 'ナ']);
  assert.deepEqual(forms('\u{20000}\u{20001}x'), ['\u{20000}', '\u{20001}', 'x']);
  assert.deepEqual(prints('\u{10400}\u{10401}'), prints('\u{10428}\u{10429}'));
  assert.deepEqual(forms('a\ud800b \udc00'), ['a', 'b']);
});

test('a long text in an unspaced script grows the sequence', () => {
  const text = '字'.repeat(5000);
  const tokens = readTokens(text);
  assert.equal(tokens.count, 5000);
  assert.equal(tokens.starts[4999], 4999);
});

test('tokens are those of a regular expression, and equal forms have equal fingerprints', () => {
  const piece = fc.constantFrom(
    'the',
    'The',
    'a1',
    '42',
    'é',
    'Ж',
    '-',
    ' ',
    '\n',
    '.',
    '"',
    'ab',
    'ba',
    '€',
  );
  const byForm = new Map<string, string>();
  const byPrint = new Map<string, string>();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const found = forms(text);
      assert.deepEqual(found, text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []);
      for (const [i, print] of prints(text).entries()) {
        const form = found[i]!.toLowerCase();
        assert.equal(byForm.get(form) ?? print, print);
        assert.equal(byPrint.get(print) ?? form, form);
        byForm.set(form, print);
        byPrint.set(print, form);
      }
    }),
    { seed: SEED, numRuns: 300 },
  );
  assert.ok(byForm.size > 100);
});

testDistinct(100_000);
