/** A line whose `html` the kernel reads says what `JSON.parse` says, however it is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodedText } from '../../src/page/decode.ts';
import { extractHtml } from '../../src/page/extract-html.ts';
import { JsonPage, loadJsonPage } from '../../src/page/html/html-kernel.ts';
import { lineRecord } from '../../src/sources/jsonl.ts';

const CONTEXT = { name: 'x.jsonl', maxPageBytes: 1_000_000 };
const URL_MEMBER = '"url":"https://example.org/"';
const LONG = '<p>A page that is worth it. '.repeat(12);

/** What a line says by `JSON.parse` alone: its page as text and the size of that, or null where it is none. */
function parsed(line: string): { text: string; bodyBytes: number } | null {
  try {
    const { html } = JSON.parse(line);
    if (typeof html !== 'string') return null;
    return { text: html.replace(/^\ufeff/, '').toWellFormed(), bodyBytes: Buffer.byteLength(html) };
  } catch {
    return null;
  }
}

function read(line: string): { text: string; bodyBytes: number } | null {
  const record = lineRecord(Buffer.from(line), 1, CONTEXT);
  if (record === null || record.kind === 'fault') return null;
  return { text: String(decodedText(String(record.text)).text), bodyBytes: record.bodyBytes };
}

function isInKernel(line: string): boolean {
  const record = lineRecord(Buffer.from(line), 1, CONTEXT);
  return record?.kind === 'capture' && record.text instanceof JsonPage;
}

test('pages in whatever writing are what JSON.parse reads', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      '\\"',
      '\\\\',
      '\\/',
      '\\n',
      '\\t',
      '\\r',
      '\\f',
      '\\b',
      '\\u0041',
      '\\u00e9',
      '\\u4e2d',
      '\\u001F',
    ),
    fc.constantFrom(
      '\\ud83d\\ude00',
      '\\uD83D\\uDE00',
      '\\ud83d',
      '\\ude00',
      '\\ude00\\ud83d',
      '\\ufeff',
      '\ufeff',
    ),
    fc.constantFrom('é', '中', '😀', 'a', ' ', '<p>', '\u007f', '\u2028', 'x'.repeat(15), 'y'.repeat(16)),
    fc.constantFrom('\\x', '\\u12', '\\u12g4', '\\', '"', '\t', '\u0000'),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(pieces, { maxLength: 6 }), (before, behind) => {
      const line = `{${URL_MEMBER},"html":"${before.join('')}${LONG}${behind.join('')}","title":"é"}`;
      assert.deepEqual(read(line), parsed(line));
    }),
    { seed: 11, numRuns: 1000 },
  );
});

test('a usual line is in the kernel, and its page reads as its text does', () => {
  const html = `<title>A "b" \\ é 中 😀</title>\n${LONG}<a href="/c?d=1&amp;e=2">f</a>`;
  for (const written of [
    JSON.stringify({ url: 'https://example.org/', html }),
    ascii({ html, url: 'https://example.org/' }),
  ]) {
    const record = lineRecord(Buffer.from(written), 1, CONTEXT);
    assert.ok(record?.kind === 'capture' && record.text instanceof JsonPage);
    const { card: _card, links, ...page } = extractHtml(record.text, record.url);
    const { card: _other, links: otherLinks, ...expected } = extractHtml(html, record.url);
    assert.deepEqual(page, expected);
    assert.deepEqual(links(), otherLinks());
  }
});

/** As programs write it that keep to ASCII. */
function ascii(row: object): string {
  return JSON.stringify(row).replace(
    /[^\0-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

test('a name that comes twice, or stands elsewhere, is read as JSON.parse reads it', () => {
  const page = `"html":"${LONG}"`;
  const lines = [
    `{${URL_MEMBER},${page},"html":"<p>the last"}`,
    `{${URL_MEMBER},"html":"<p>the first",${page}}`,
    `{${URL_MEMBER},${page},"\\u0068tml":"<p>the last"}`,
    `{${URL_MEMBER},${page},"ht\\u006Dl":""}`,
    `{${URL_MEMBER},"fields":{${page}},"html":"<p>out"}`,
    `{${URL_MEMBER},"fields":{${page}},"text":"a"}`,
    `{${URL_MEMBER},"title":"\\"html\\":\\"",${page}}`,
    `{${URL_MEMBER},"a\\"html":"${LONG}","html":"<p>b"}`,
    `[{${URL_MEMBER},${page}}]`,
    `{${URL_MEMBER},${page}`,
    `{${URL_MEMBER},${page},}`,
    `{${URL_MEMBER},"html" : "${LONG}"}`,
    `{${URL_MEMBER},"html":"","title":"${LONG}"}`,
    `{${URL_MEMBER},"html":null,"text":"html"}`,
  ];
  for (const line of lines) {
    const isPage = parsed(line) !== null;
    assert.deepEqual(isPage ? read(line) : null, parsed(line), line.replace(LONG, '...'));
    if (!isPage) assert.equal(isInKernel(line), false, line);
  }
  assert.equal(isInKernel(`{${URL_MEMBER},"html" : "${LONG}"}`), true);
});

test('a page that is binary or too large is refused as before, an empty one is not', () => {
  const reasonOf = (html: string, maxPageBytes = 1_000_000) => {
    const line = Buffer.from(JSON.stringify({ url: 'https://example.org/', html }));
    const record = lineRecord(line, 1, { ...CONTEXT, maxPageBytes });
    return record?.kind === 'fault' ? record.reason : null;
  };
  assert.equal(reasonOf(LONG), null);
  assert.equal(reasonOf(`${LONG}${'\0'.repeat(8)}`), 'binary');
  assert.equal(reasonOf(`${LONG}${'\u001b\t'.repeat(80)}`), null);
  assert.equal(reasonOf(`${LONG.repeat(300)}${'\u0001'.repeat(9000)}`), null);
  assert.equal(reasonOf(LONG, LONG.length - 1), 'too_large');
  assert.equal(reasonOf(`${LONG}é`, LONG.length + 1), 'too_large');
  assert.equal(reasonOf(`${LONG}é`, LONG.length + 2), null);
  assert.equal(reasonOf(''), null);
});

test('a page is not read once another one is in its place', () => {
  const line = Buffer.from(`"${LONG}"`);
  const first = loadJsonPage(line, 1)!;
  assert.equal(first.toString(), LONG);
  loadJsonPage(line, 1);
  assert.throws(() => first.toString(), /another page/);
  assert.throws(() => extractHtml(first, 'https://example.org/'), /another page/);
});
