import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characterClass, UNSPACED } from '../../src/text/character-class.ts';
import { spaceOut } from '../../src/text/space-out.ts';
import { longTest } from '../long-test.ts';

test('characters of scripts without spaces stand alone, marks with them, and nothing else changes', () => {
  assert.equal(spaceOut('搜索引擎 C语言, 2024年'), '搜 索 引 擎 C 语 言, 2024 年');
  assert.equal(spaceOut('ไม่เป็น'), 'ไ ม่ เ ป็ น');
  assert.equal(spaceOut('ラーメン'), 'ラ ー メ ン');
  assert.equal(spaceOut('ｸﾞﾙｰﾌﾟA'), 'ｸﾞ ﾙ ｰ ﾌﾟ A');
  for (const text of ['', 'It’s “naïve” — 한국어 हिन्दी 🌹', '。、', '字']) assert.equal(spaceOut(text), text);
});

longTest('they are the characters that words are taken from in pairs', () => {
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    const isAlone = characterClass(codePoint) === UNSPACED;
    if (!isAlone && codePoint > 0xffff && (codePoint & 0xff) !== 0) continue;
    const text = `a${String.fromCodePoint(codePoint)}`;
    assert.equal(spaceOut(text) !== text, isAlone, codePoint.toString(16));
  }
});
