import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PageText } from '../../src/page/html/page-text.ts';

function textOf(pieces: readonly string[]): string {
  const text = new PageText();
  for (const piece of pieces) text.append(piece);
  return text.finish();
}

test('every unit is white space, vanishes or is written as it is', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit);
    const isBlank = /[\s\p{Cc}]/u.test(character);
    const isInvisible = /[\u00ad\u200b\u2060]/.test(character);
    const expected = isBlank ? 'a b' : isInvisible ? 'ab' : `a${character}b`.toWellFormed();
    assert.equal(textOf([`a${character}b`]), expected, unit.toString(16));
  }
});

test('pieces join as one string tidied at once', () => {
  const characters = fc.constantFrom(
    'a',
    'é',
    '中',
    '\ud83d',
    '\ude00',
    ' ',
    '\n',
    '\0',
    '\u00a0',
    '\u00ad',
    '\u200b',
  );
  const pieces = fc.array(fc.array(characters).map((found) => found.join('')));
  fc.assert(
    fc.property(pieces, (written) => {
      const tidied = written
        .join('')
        .replace(/[\u00ad\u200b\u2060]/g, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .replace(/^ | $/g, '');
      assert.equal(textOf(written), tidied.toWellFormed());
    }),
    { seed: 5, numRuns: 1500 },
  );
});

test('a cleared text keeps nothing of the one before', () => {
  const text = new PageText();
  text.append(`${'long 中 '.repeat(5000)}`);
  text.openSpan();
  text.clear();
  assert.equal(text.length, 0);
  text.space();
  assert.equal(text.append('é'), 0);
  text.lineBreak();
  text.append('b');
  assert.equal(text.finish(), 'é\nb');
  assert.deepEqual(text.closeSpan(false), [3, 3]);
});
