import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { characterClass, UNSPACED } from '../../src/text/character-class.ts';
import { searchText, spaceOut } from '../../src/text/space-out.ts';

test('characters of scripts without spaces stand alone, marks with them, and nothing else changes', () => {
  assert.equal(spaceOut('搜索引擎 C语言, 2024年'), '搜 索 引 擎 C 语 言, 2024 年');
  assert.equal(spaceOut('ไม่เป็น'), 'ไ ม่ เ ป็ น');
  assert.equal(spaceOut('ラーメン'), 'ラ ー メ ン');
  for (const text of ['', 'It’s “naïve” — 한국어 हिन्दी 🌹', '。、', '字']) assert.equal(spaceOut(text), text);
});

test('they are the characters that words are taken from in pairs', () => {
  for (let codePoint = 0; codePoint < 0x110000; codePoint++) {
    const isAlone = characterClass(codePoint) === UNSPACED;
    if (!isAlone && codePoint > 0xffff && (codePoint & 0xff) !== 0) continue;
    const text = `a${String.fromCodePoint(codePoint)}`;
    assert.equal(spaceOut(text) !== text, isAlone, codePoint.toString(16));
  }
});

test('what is neither letter nor digit parts words for the search as well', () => {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE word USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2')`);
  const insert = db.prepare('INSERT INTO word VALUES (?)');
  const signs = Array.from({ length: 0x20000 - 0x80 }, (_, i) => String.fromCodePoint(i + 0x80)).filter(
    (character) => /^[\p{S}\p{Co}]$/u.test(character),
  );
  assert.ok(signs.includes('\ue000') && signs.includes('🫠') && signs.includes('€'));
  db.transaction(() => {
    for (const sign of signs) insert.run(searchText(`menu${sign}word`));
  })();
  for (const word of ['menu', 'word']) {
    const { found } = db.prepare('SELECT count(*) AS found FROM word WHERE word MATCH ?').get(word) as {
      found: number;
    };
    assert.equal(found, signs.length, word);
  }
  db.close();
});
