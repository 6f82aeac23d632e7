import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { extractHtml } from '../../src/page/extract-html.ts';
import { tidyLine } from '../../src/page/html/page-text.ts';

/** Of a page in which each piece is a text by itself. */
function textOf(pieces: readonly string[]): string {
  return extractHtml(pieces.join('<!-- -->'), 'http://example.org/').text;
}

test('every unit is white space, vanishes or is written as it is', () => {
  for (let unit = 0; unit < 0x10000; unit++) {
    const character = String.fromCharCode(unit);
    const isBlank = /[\s\p{Cc}]/u.test(character);
    const isInvisible = /[\u00ad\u200b\u2060]/.test(character);
    const expected = isBlank ? 'a b' : isInvisible ? 'ab' : `a${character}b`.toWellFormed();
    assert.equal(tidyLine(`a${character}b`), expected, unit.toString(16));
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
      assert.equal(tidyLine(written.join('')), tidied.toWellFormed());
    }),
    { seed: 5, numRuns: 1500 },
  );
});

test('a text keeps nothing of the one before', () => {
  assert.equal(tidyLine('long 中 '.repeat(50_000)).length, 349_999);
  assert.equal(tidyLine(' é  b'), 'é b');
  assert.equal(textOf(['é<p>', 'b']), 'é\nb');
});
