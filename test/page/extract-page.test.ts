import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractPage } from '../../src/page/extract-page.ts';
import { extractText } from '../../src/page/extract-text.ts';

const URL_ = 'http://example.org/';

test('the media type chooses the reader', () => {
  assert.equal(extractPage('<title>a</title>', 'text/html', URL_).title, 'a');
  assert.equal(extractPage('<title>a</title>', 'text/plain', URL_).title, '<title>a</title>');
  assert.equal(extractPage('<title/><p>a</p>', 'application/xhtml+xml', URL_).text, 'a');
});

test('without a media type the look of the start chooses', () => {
  assert.equal(extractPage('<!DOCTYPE html><title>a</title>', null, URL_).title, 'a');
  assert.equal(extractPage('if a < b and c > d', null, URL_).text, 'if a < b and c > d');
  const html = [
    '\n <!-- x --> y',
    '<B>x</B>',
    'words <a href="x">y</a>',
    'words<br>more',
    '<x-app>y</x-app>',
  ];
  // HTML has no tag in its text, plain text all that it holds.
  for (const body of html) assert.doesNotMatch(extractPage(body, null, URL_).text, /[<>]/, body);
  const text = ['', 'plain', '1 <2', '>chr1', 'std::vector<int> v;', '#include <stdio.h>'];
  for (const body of text) assert.equal(extractPage(body, null, URL_).text, body);
});

test('plain text keeps its lines and is titled by its first', () => {
  const page = extractText('\n\n  A   title \r\nsecond\tline\n\n\n<b>third</b>\n');
  assert.equal(page.title, 'A title');
  assert.equal(page.text, 'A title\nsecond line\n<b>third</b>');
  assert.deepEqual(page.links(), { kept: [], droppedCount: 0 });
});

test('a long first line is cut at a word', () => {
  const page = extractText(`${'word '.repeat(30)}\nrest`);
  assert.equal(page.title, 'word '.repeat(16).trim());
  assert.equal(extractText('x'.repeat(200)).title, 'x'.repeat(80));
  assert.ok(extractText(`${'x'.repeat(79)}😀y`).title.isWellFormed());
  assert.equal(extractText('').title, '');
});
