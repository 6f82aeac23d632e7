import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPages, pageOf } from './build.ts';
import { document, prose, type TestPage } from './pages.ts';

const A = 'https://a.example/';

function page(url: string, seed: number, body: string): TestPage {
  return {
    url,
    html: document(`Page ${seed}`, `<p>${prose(seed)}</p><p>${body}</p><p>${prose(seed + 50)}</p>`),
  };
}

test('in-links count pages, out-links count targets, and neither counts the page itself', async (t) => {
  const { reader } = await buildPages(t, [
    page(
      `${A}1`,
      1,
      '<a href="/2">two</a> <a href="/2#part">two again</a> <a href="/1">self</a> <a href="/1#x">me</a>',
    ),
    page(`${A}2`, 2, '<a href="/1">one</a> <a href="https://far.example/y">the far lighthouse</a>'),
    page(
      `${A}3`,
      3,
      '<a href="/1">one</a> <a href="mailto:a@b.example">mail</a> <a href="javascript:x()">do</a>',
    ),
    page(`${A}4`, 4, '<a href="/old4">itself by its old name</a>'),
    { url: `${A}old4`, status: 302, location: '/4' },
  ]);
  const counts = (url: string) => {
    const { inLinkCount, outLinkCount } = pageOf(reader, url);
    return [inLinkCount, outLinkCount];
  };
  assert.deepEqual(counts(`${A}1`), [2, 1]);
  assert.deepEqual(counts(`${A}2`), [1, 2]);
  assert.deepEqual(counts(`${A}3`), [0, 1]);
  assert.deepEqual(counts(`${A}4`), [0, 0]);
  assert.deepEqual(counts('https://far.example/y'), [1, 0]);
  const ids = [`${A}1`, 'https://far.example/y'].map((url) => reader.findPage(url)).sort((a, b) => a - b);
  assert.deepEqual(Array.from(reader.links(reader.findPage(`${A}2`))), ids);
});

test('an unfetched page is named by its most frequent anchor text, of equals the first in order', async (t) => {
  const { reader } = await buildPages(t, [
    page(`${A}1`, 1, '<a href="https://far.example/x">the harbour  light</a>'),
    page(`${A}2`, 2, '<a href="https://far.example/x">the harbour light</a>'),
    page(`${A}3`, 3, '<a href="https://far.example/x">a lamp</a> <a href="https://far.example/y">zebra</a>'),
    page(`${A}4`, 4, '<a href="https://far.example/y">ant</a>'),
  ]);
  const far = pageOf(reader, 'https://far.example/x');
  assert.deepEqual([far.title, far.fetched, far.wordCount, far.lang], ['the harbour light', false, 0, null]);
  assert.deepEqual(reader.captures(far.id), []);
  assert.equal(pageOf(reader, 'https://far.example/y').title, 'ant');
});

test('a nofollow link counts as a link and credits no page', async (t) => {
  const { reader } = await buildPages(t, [
    page(`${A}1`, 1, '<a href="/2">second lighthouse</a> <a rel="nofollow" href="/3">third harbour</a>'),
    page(`${A}2`, 2, '<a rel="ugc" href="https://far.example/spam">buy lamps</a> <a href="/3">third</a>'),
    page(`${A}3`, 3, '<a href="/2">second lighthouse</a>'),
  ]);
  assert.equal(reader.findPage('https://far.example/spam'), -1);
  assert.equal(pageOf(reader, `${A}3`).inLinkCount, 2);
  assert.equal(pageOf(reader, `${A}2`).outLinkCount, 2);
});

test('the anchor window is credited to the target: eight words on either side and no more', async (t) => {
  const near = 'alpha bravo charlie delta echo foxtrot golf hotel';
  const window = `outside ${near} <a href="https://far.example/x">india</a> juliet kilo lima mike november oscar papa quebec beyond`;
  const { reader } = await buildPages(
    t,
    [
      page(`${A}1`, 1, window),
      page(`${A}2`, 2, window),
      page(`${A}3`, 3, '<a href="https://far.example/y">juliet sierra</a>'),
    ],
    { parts: { anchor: 1 }, minPageCount: 1, maxPageShare: 1 },
  );
  const { features } = reader.bag(1, reader.findPage('https://far.example/x'));
  const stems = new Set(Array.from(features, (id) => reader.feature(1, id).term));
  for (const word of [...near.split(' '), 'india', 'kilo', 'quebec']) assert.ok(stems.has(word), word);
  assert.ok(!stems.has('outside') && !stems.has('beyond'));
});
