import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageName, percent } from '../../src/explorer/parts/figures.ts';
import { marked } from '../../src/explorer/parts/marked.ts';
import { cut, shownUrl } from '../../src/explorer/parts/page-link.ts';
import { piecesOf } from '../../src/explorer/parts/passages.ts';
import { html } from '../../src/service/http/markup.ts';

test('what is not markup is escaped, and nothing is written for nothing', () => {
  const inner = html`<i>${'<b> & "q"'}</i>`;
  assert.equal(
    html`${inner}${[1, 'a<', inner]}${null}${undefined}${false}${''}`.text,
    `${inner.text}1a&lt;${inner.text}`,
  );
  assert.equal(inner.text, '<i>&lt;b&gt; &amp; &quot;q&quot;</i>');
});

test('a text is cut between letters', () => {
  assert.equal(cut('four', 4), 'four');
  assert.equal(cut('fives', 4), 'fiv…');
  assert.equal(cut('ab\u{1F339}cd', 4), 'ab…');
});

test('a URL is shown without its scheme, its letters readable, its signs as they are', () => {
  assert.equal(shownUrl('https://a.example/'), 'a.example');
  assert.equal(shownUrl('http://a.example/%E7%8E%AB%E7%91%B0?x=%E2%80%AE1'), 'a.example/玫瑰?x=%E2%80%AE1');
  assert.equal(shownUrl('https://a.example/%2F%FF'), 'a.example/%2F%FF');
  assert.equal(shownUrl('https://xn--mller-kva.example:8080/x'), 'müller.example:8080/x');
  assert.equal(shownUrl('https://a.example/xn--mller-kva'), 'a.example/xn--mller-kva');
});

test('shares are whole percents that do not say none or all of what is some', () => {
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), [
    '0 %',
    'less than 1 %',
    '50 %',
    'more than 99 %',
    '100 %',
  ]);
});

test('a language is shown by its name, what is none as it is', () => {
  const codes = ['da', 'zh', 'tlh', 'qqx', 'x', 'not a code'];
  assert.deepEqual(codes.map(languageName), ['Danish', 'Chinese', 'Klingon', 'qqx', 'x', 'not a code']);
});

test('ranges are marked once, in their order', () => {
  const text = marked('one <two> three', [
    [10, 15],
    [4, 9],
    [5, 12],
  ]).text;
  assert.equal(text, 'one <mark>&lt;two&gt;</mark><mark> th</mark><mark>ree</mark>');
});

test('pieces follow each other from the beginning to the end, passages or not', () => {
  const spans = [
    { start: 4, end: 8 },
    { start: 6, end: 7 },
    { start: 7, end: 30 },
  ];
  assert.deepEqual(piecesOf(spans, 20), [
    { start: 0, end: 4, passage: -1 },
    { start: 4, end: 8, passage: 0 },
    { start: 8, end: 20, passage: 2 },
  ]);
});
