import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { searchWords } from '../../src/text/search/search-words.ts';
import { mostTypos, TypoMeter } from '../../src/text/search/typos.ts';

const wordsOf = (text: string) => searchWords(text).map(({ word }) => word);

test('words are runs of letters and digits without case and accents, at their places', () => {
  assert.deepEqual(wordsOf("L'arbre d\u2019été: RFC-2616, naïve o\u02bcneil"), [
    ...['l', 'arbre', 'd', 'ete', 'rfc', '2616', 'naive', 'o', 'neil'],
  ]);
  assert.deepEqual(wordsOf('ΛΌΓΟΣ λόγος İstanbul'), ['λογοσ', 'λογοσ', 'istanbul']);
  assert.deepEqual(wordsOf('搜索 กุหลาบ한국어'), ['搜', '索', 'กุ', 'ห', 'ล', 'า', 'บ', '한국어']);
  // A vowel tells words of Hindi apart, the points of Arabic and Hebrew are left out as a rule.
  assert.deepEqual(wordsOf('हिन्दी كِتَاب שָׁלוֹם'), ['हिन्दी', 'كتاب', 'שלום']);
  const long = 'é'.repeat(70);
  assert.deepEqual(wordsOf(long), ['e'.repeat(64)]);
  assert.ok(wordsOf(`${'\u{1d400}'.repeat(40)}x`)[0]!.isWellFormed());
  const text = 'Un café crème';
  for (const { start, end, word } of searchWords(text)) {
    assert.equal(text.slice(start, end).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(), word);
  }
});

test('ligatures, full-width and other forms are the letters that they stand for', () => {
  assert.deepEqual(wordsOf('ＨＥＬＬＯ ２０２６ ﬁnd oﬃce 𝐁old Ⅷ ªº'), [
    ...['hello', '2026', 'find', 'office', 'bold', 'viii', 'ao'],
  ]);
  // Half-width kana, the forms of Arabic letters by their place.
  assert.deepEqual(wordsOf('ｱｲｽ \ufee3\ufeae\ufea3\ufe92\ufe8e'), ['ア', 'イ', 'ス', 'مرحبا']);
  const kana = 'ﾊﾟﾝ と ｸﾞﾙｰﾌﾟ';
  assert.deepEqual(wordsOf(kana), wordsOf('パン と グループ'));
  assert.deepEqual(
    searchWords(kana).map(({ start, end }) => kana.slice(start, end)),
    ['ﾊﾟ', 'ﾝ', 'と', 'ｸﾞ', 'ﾙ', 'ｰ', 'ﾌﾟ'],
  );
  // A mark behind no half-width kana is one by itself.
  assert.deepEqual(wordsOf('aﾞﾟｱﾞﾞ'), ['a', 'ﾞ', 'ﾟ', 'ア\u3099', 'ﾞ']);
  // Not where a number would be another one: one half is not 12, nor 10² 102.
  assert.deepEqual(wordsOf('½ ⑴ 10² ﬁ² ŀ'), ['½', '⑴', '10²', 'fi²', 'ŀ']);
});

test('strokes that stretch Arabic letters, joiners and signs that choose a form make no other word', () => {
  assert.deepEqual(wordsOf('العـــربية ـــ مرحبـا'), [...wordsOf('العربية مرحبا')]);
  assert.deepEqual(wordsOf('ශ්\u200dරී ලංකා क्\u200dष'), ['ශ්රී', 'ලංකා', 'क्ष']);
  // Persian parts of a word stay words: a search for books finds what is written of them in the plural.
  assert.deepEqual(wordsOf('کتاب\u200cها'), wordsOf('کتاب ها'));
  assert.deepEqual(wordsOf('葛\u{e0100}城 👩\u200d🚀a'), ['葛', '城', 'a']);
  const text = 'xـ ශ්\u200dරී 葛\u{e0100}城';
  assert.deepEqual(
    searchWords(text).map(({ start, end }) => text.slice(start, end)),
    ['xـ', 'ශ්\u200dරී', '葛\u{e0100}', '城'],
  );
});

test('the plain form of a letter is a word that a search takes for itself', () => {
  for (let code = 0x80; code < 0x30000; code++) {
    const character = String.fromCodePoint(code);
    if (!/^[\p{L}\p{N}]$/u.test(character) || /^\p{sc=Han}$/u.test(character)) continue;
    for (const word of wordsOf(`a${character}`)) {
      assert.match(word, /^[\p{L}\p{N}\p{M}]+$/u, code.toString(16));
      assert.equal(
        wordsOf(word)
          .map((again) => again)
          .join(''),
        word,
        code.toString(16),
      );
    }
  }
});

test('what is neither letter nor digit parts words', () => {
  const signs = Array.from({ length: 0x20000 - 0x80 }, (_, i) => String.fromCodePoint(i + 0x80)).filter(
    (character) => /^[\p{S}\p{Co}]$/u.test(character),
  );
  assert.ok(signs.includes('\ue000') && signs.includes('🫠') && signs.includes('€'));
  for (const sign of signs) assert.deepEqual(wordsOf(`menu${sign}word`), ['menu', 'word']);
});

/** Straight from the definition: the fewest steps, each pair of letters touched once. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const steps = [
    distance(a.slice(1), b) + 1,
    distance(a, b.slice(1)) + 1,
    distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0]) steps.push(distance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...steps);
}

test('a meter of typos gives the distance of sorted words, and says which beginnings are dead', () => {
  const random = new Random(5);
  const word = () => Array.from({ length: 1 + random.below(5) }, () => 'abc'[random.below(3)]).join('');
  for (let round = 0; round < 40; round++) {
    const [wanted, most] = [word(), 1 + random.below(2)];
    const meter = new TypoMeter(wanted, most);
    const words = [...new Set(Array.from({ length: 40 }, word))].sort();
    for (const [i, candidate] of words.entries()) {
      const { distance: found, dead } = meter.measure(candidate);
      assert.equal(found, Math.min(most + 1, distance(wanted, candidate)), `${wanted} ${candidate}`);
      const start = candidate.slice(0, dead);
      const buried = dead === 0 ? [] : words.slice(i).filter((other) => other.startsWith(start));
      for (const other of buried) assert.ok(distance(wanted, other) > most, `${start} of ${wanted}`);
    }
  }
  assert.equal(distance('foregin', 'foreign'), 1);
  assert.deepEqual(
    ['key', 'keys', 'foreign', 'postgres', 'rfc2616', 'हिन्दी'].map(mostTypos),
    [0, 1, 1, 2, 0, 1],
  );
});
