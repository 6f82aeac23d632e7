/** Parts made of links, against sets counted by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { buildPages, pageOf } from './build.ts';
import { document } from './pages.ts';

const HOST = 'https://links.example/';
const TOPIC = 1;

/** Pages, each with a text that no other has; `links` are written as they are. */
function page(name: string, links: string) {
  return { url: `${HOST}${name}`, html: document(name, `<p>${name.repeat(5)}xyz ${links}</p>`) };
}

const link = (name: string, more = '') => `<a ${more} href="${HOST}${name}">${name}go</a>`;

const PAGES = [
  page('a', link('x') + link('y') + link('y') + link('a')),
  page('b', link('x') + link('moved')),
  page('c', link('x', 'rel="nofollow"') + link('y')),
  page('d', link('z')),
  page('e', link('z')),
  page('x', ''),
  page('y', ''),
  page('z', ''),
  { url: `${HOST}moved`, status: 301, location: `${HOST}y`, html: '' },
];

/** URLs that the features of one part of a page stand for. */
function linksOf(reader: IndexReader, part: string, name: string): string[] {
  const { features } = reader.bag(TOPIC, pageOf(reader, `${HOST}${name}`).id);
  return [...features]
    .map((id) => reader.feature(TOPIC, id))
    .filter((feature) => feature.part === part)
    .map(({ stem }) => reader.page(Number(stem)).url.slice(HOST.length))
    .sort();
}

test('out and in are the pages of the index that links credit, each once, under the URLs that speak for them', async (t) => {
  const { reader, report } = await buildPages(t, PAGES, {
    parts: { content: 0.2, out: 0.4, in: 0.4 },
    maxPageShare: 1,
    minPageCount: 1,
  });
  assert.deepEqual(linksOf(reader, 'out', 'a'), ['x', 'y']);
  assert.deepEqual(linksOf(reader, 'out', 'b'), ['x', 'y']);
  assert.deepEqual(linksOf(reader, 'out', 'c'), ['y']);
  assert.deepEqual(linksOf(reader, 'in', 'x'), ['a', 'b']);
  assert.deepEqual(linksOf(reader, 'in', 'y'), ['a', 'b', 'c']);
  assert.deepEqual(linksOf(reader, 'in', 'z'), ['d', 'e']);
  assert.deepEqual(
    report.parts.map(({ name, pageCount }) => [name, pageCount]),
    [
      ['content', 8],
      ['out', 5],
      ['in', 3],
    ],
  );
});

test('pages that share links alone are near to each other, and no cluster is named after a URL', async (t) => {
  const { reader } = await buildPages(t, PAGES, {
    parts: { content: 0.2, out: 0.4, in: 0.4 },
    maxPageShare: 1,
  });
  const ids = (name: string) =>
    [...reader.neighbors(TOPIC, pageOf(reader, `${HOST}${name}`).id).ids].map((id) =>
      reader.page(id).url.slice(HOST.length),
    );
  assert.equal(ids('a')[0], 'b');
  assert.deepEqual(ids('x'), ['y']);
  for (let id = 0; id < reader.pageCount; id++) {
    for (const { label } of reader.clusters.ofPage(TOPIC, id))
      assert.doesNotMatch(label, /\d|links\.example/);
  }
});

test('a part that no page has leaves its share to the others and is reported', async (t) => {
  const pages = [0, 1].map((i) => ({ url: `${HOST}${i}`, html: document('Rose', '<p>rose keel</p>') }));
  const { report, reader } = await buildPages(t, pages, {
    parts: { content: 0.6, title: 0.2, out: 0.1, in: 0.1 },
    maxPageShare: 1,
  });
  assert.deepEqual(report.parts, [
    { name: 'content', share: 0.75, pageCount: 2 },
    { name: 'title', share: 0.25, pageCount: 2 },
    { name: 'out', share: 0, pageCount: 0 },
    { name: 'in', share: 0, pageCount: 0 },
  ]);
  const { parameters } = reader.card();
  assert.deepEqual(parameters['parts'], { content: 0.6, title: 0.2, out: 0.1, in: 0.1 });
  assert.deepEqual((parameters['recipe'] as { parts: object }).parts, { content: 0.75, title: 0.25 });
});
