import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBody, decodedText, decodeText, isBinaryText } from '../../src/page/decode.ts';
import { declaredCharset, encodingName } from '../../src/page/meta-charset.ts';

const VECTORS = new URL('../../../shared/data/vectors/html5lib-tests/encoding/', import.meta.url);
const NO_VECTORS = existsSync(VECTORS) ? false : 'the html5lib encoding vectors are not in ../shared/data';

const ascii = (text: string) => Buffer.from(text, 'latin1');
const page = (head: string, body: Uint8Array) =>
  Buffer.concat([ascii(`<html><head>${head}</head><p>`), body]);

test('a header charset wins over the meta, a byte order mark over both', () => {
  const body = page('<meta charset=utf-8>', ascii('\xe4'));
  assert.deepEqual(decodeBody(body, 'ISO-8859-5')?.charset, 'iso-8859-5');
  assert.ok(decodeBody(body, ' "koi8-r" ')?.text.endsWith('Д'));
  const marked = Buffer.concat([ascii('\xef\xbb\xbf'), Buffer.from('ä')]);
  assert.deepEqual(decodeBody(marked, 'koi8-r'), { text: 'ä', charset: 'utf-8' });
});

test('valid UTF-8 is believed more than a meta that was left behind', () => {
  const body = page('<meta charset=shift_jis>', Buffer.from('Käse 食'));
  assert.equal(decodeBody(body, null)?.charset, 'utf-8');
  assert.ok(decodeBody(body, null)?.text.endsWith('Käse 食'));
});

test('an unknown label is passed over', () => {
  const body = page('<meta charset=iso-8859-7>', ascii('\xe1'));
  assert.ok(decodeBody(body, 'no-such-charset')?.text.endsWith('α'));
  assert.equal(decodeBody(ascii('<meta charset=klingon>\xe9'), null)?.text, '<meta charset=klingon>é');
});

test('without any word it is windows-1252', () => {
  assert.deepEqual(decodeBody(ascii('\x93caf\xe9\x94 5 \x80'), null), {
    text: '“café” 5 €',
    charset: 'windows-1252',
  });
  assert.deepEqual(decodeBody(ascii('plain'), null), { text: 'plain', charset: 'windows-1252' });
  assert.deepEqual(decodeBody(new Uint8Array(), null), { text: '', charset: 'windows-1252' });
});

test('declared UTF-8 that is mostly wrong is windows-1252, with a few faults it stays UTF-8', () => {
  const wrong = page('<meta charset=utf-8>', ascii('caf\xe9 na\xefve'));
  assert.ok(decodeBody(wrong, null)?.text.endsWith('café naïve'));
  assert.equal(decodeBody(wrong, 'utf-8')?.charset, 'windows-1252');
  const cut = page('', Buffer.concat([Buffer.from('äöü ß'), ascii('\xc3')]));
  assert.equal(decodeBody(cut, 'utf-8')?.charset, 'utf-8');
  assert.ok(decodeBody(cut, 'utf-8')?.text.endsWith('äöü ß\ufffd'));
});

/** Bytes written out by hand from the code tables, so that the decoder is not its own judge. */
const LEGACY: readonly [string, string, number[]][] = [
  ['shift_jis', '日本語', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]],
  ['euc-jp', '日本語', [0xc6, 0xfc, 0xcb, 0xdc, 0xb8, 0xec]],
  ['gb18030', '中文', [0xd6, 0xd0, 0xce, 0xc4]],
  ['euc-kr', '한국', [0xc7, 0xd1, 0xb1, 0xb9]],
  ['big5', '中文', [0xa4, 0xa4, 0xa4, 0xe5]],
  ['koi8-r', 'Мир', [0xed, 0xc9, 0xd2]],
  ['windows-1251', 'Мир', [0xcc, 0xe8, 0xf0]],
  ['iso-8859-2', 'żółć', [0xbf, 0xf3, 0xb3, 0xe6]],
];

for (const [label, text, bytes] of LEGACY) {
  test(`${label} is read from the header and from the meta`, () => {
    const body = Uint8Array.from(bytes);
    assert.deepEqual(decodeBody(body, label.toUpperCase()), { text, charset: label });
    const declared = decodeBody(
      page(`<meta http-equiv=Content-Type content="text/html; charset=${label}">`, body),
      null,
    );
    assert.equal(declared?.charset, label);
    assert.ok(declared.text.endsWith(text));
  });
}

test('UTF-16 is read with a mark, by header, and by its look', () => {
  const little = Buffer.from('<p>日本', 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const [bytes, mark, charset] of [
    [little, [0xff, 0xfe], 'utf-16le'],
    [big, [0xfe, 0xff], 'utf-16be'],
  ] as const) {
    const expected = { text: '<p>日本', charset };
    assert.deepEqual(decodeBody(Buffer.concat([Uint8Array.from(mark), bytes]), 'utf-8'), expected);
    assert.deepEqual(decodeBody(bytes, charset), expected);
    assert.deepEqual(decodeBody(bytes, null), expected);
  }
});

test('binary data is no text, one stray zero byte is', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
  assert.equal(decodeBody(png, null), null);
  assert.equal(decodeBody(png, 'utf-8'), null);
  const random = Uint8Array.from({ length: 5000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 24);
  assert.equal(decodeBody(random, null), null);
  const stray = ascii(`<p>${'word '.repeat(50)}\0</p>`);
  assert.equal(decodeBody(stray, null)?.text.length, stray.length);
});

test('every UTF-8 text comes back as it was', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((core) => `ä ${core}`);
  fc.assert(
    fc.property(text, (original) => {
      const decoded = decodeBody(Buffer.from(original), null);
      assert.ok(decoded === null || decoded.text === original);
    }),
    { seed: 7, numRuns: 500 },
  );
});

test('any bytes decode or are refused, never throw', () => {
  const label = fc.option(
    fc.constantFrom('utf-8', 'utf-16', 'gb18030', 'iso-2022-jp', 'x', '', 'replacement'),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), label, (bytes, header) => {
      const decoded = decodeBody(bytes, header);
      assert.ok(decoded === null || encodingName(decoded.charset) === decoded.charset);
    }),
    { seed: 7, numRuns: 800 },
  );
});

test('the prescan reads attributes in any order and form, and nothing inside comments', () => {
  assert.equal(
    declaredCharset(ascii('<META content="a; charset = KOI8-R" HTTP-EQUIV=content-type>')),
    'koi8-r',
  );
  assert.equal(declaredCharset(ascii('<!-- <meta charset=koi8-r> --><meta/charset=big5>')), 'big5');
  assert.equal(declaredCharset(ascii('<meta name=x content="charset=big5">')), null);
  assert.equal(declaredCharset(ascii('<p title="<meta charset=big5>">')), null);
  assert.equal(declaredCharset(ascii('<meta charset=utf-16le>')), 'utf-8');
  assert.equal(declaredCharset(ascii('<meta charset=big5')), null);
});

test('an XML declaration says the charset where no meta does', () => {
  const declared = (rest: string) => declaredCharset(ascii(`<?xml version="1.0" ${rest}`));
  assert.equal(declared('encoding="windows-1251"?><html><p>x'), 'windows-1251');
  assert.equal(declared("encoding = 'Shift_JIS' ?><html><p>x"), 'shift_jis');
  assert.equal(declared('encoding="utf-16"?><html>'), 'utf-8');
  assert.equal(declared('encoding="big5"?><meta charset=koi8-r>'), 'koi8-r');
  assert.equal(declared('?><html title=\'encoding="big5"\'>'), null);
  assert.equal(declared('encoding="big5"'), null);
  assert.equal(declaredCharset(ascii('<p><?xml version="1.0" encoding="big5"?>')), null);
  const body = Buffer.concat([
    ascii('<?xml version="1.0" encoding="windows-1251"?><p>'),
    ascii('\xf7\xe0\xe9'),
  ]);
  assert.match(decodeBody(body, null)!.text, /чай$/);
});

test('the html5lib encoding vectors hold', { skip: NO_VECTORS }, () => {
  let compared = 0;
  for (const file of ['tests1.dat', 'tests2.dat', 'test-yahoo-jp.dat']) {
    for (const part of readFileSync(new URL(file, VECTORS), 'latin1')
      .split(/^#data\n/m)
      .slice(1)) {
      const [data = '', rest = ''] = part.split('\n#encoding\n');
      const expected = encodingName(rest.trim().split('\n')[0]!);
      const body = ascii(data);
      const isMarked = data.startsWith('\xef\xbb\xbf');
      // The prescan alone does not look at byte order marks.
      if (!isMarked) assert.equal(declaredCharset(body) ?? 'windows-1252', expected, data.slice(0, 200));
      // Declares euc-jp, yet the bytes in the file are valid UTF-8: the one rule in which we differ.
      const isReencoded = file === 'test-yahoo-jp.dat';
      assert.equal(decodeBody(body, null)?.charset, isReencoded ? 'utf-8' : expected, data.slice(0, 200));
      compared++;
    }
  }
  assert.equal(compared, 82);
});

test('a text reads as its UTF-8 does', () => {
  const text = fc.array(fc.constantFrom('\ufeff', '\ud800', '\udc00', 'a', '\u00e9', '\u98df', '\u{1f600}'));
  fc.assert(
    fc.property(text, (units) => {
      const given = units.join('');
      assert.deepEqual(decodedText(given), decodeText(new TextEncoder().encode(given)));
    }),
  );
});

test('a text is binary where one byte in fifty of the first 64 KiB of its UTF-8 is a control character', () => {
  const allowed = [9, 10, 12, 13, 27];
  const one = fc.integer({ min: 20, max: 70 }).map((length) => `\0${'x'.repeat(length)}`);
  const piece = fc.oneof(one, fc.constantFrom('\x1b\t\f', '\u4e03 ', '\u0401', '\u00e9'));
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1 }), fc.constantFrom(1, 300, 20_000), (pieces, times) => {
      const text = pieces.join('').repeat(Math.min(times, 300_000 / pieces.length));
      const sample = Buffer.from(text).subarray(0, 65_536);
      const count = sample.filter((byte) => byte < 32 && !allowed.includes(byte)).length;
      assert.equal(isBinaryText(text), count > sample.length / 50, `${count} of ${sample.length}`);
    }),
  );
});
