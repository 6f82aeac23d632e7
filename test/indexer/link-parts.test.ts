/** Parts made of links, against sets counted by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReader } from '../../src/store/read/reader.ts';
import { asker, fixtureApp } from '../service/fixture-app.ts';
import { build, buildPages, pageOf } from './build.ts';
import { document, type TestPage } from './pages.ts';

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

const BOTH = { parts: { content: 0.2, anchor: 0.2, out: 0.3, in: 0.3 }, maxPageShare: 1, minPageCount: 1 };

test('links that a record gives count as those of the HTML, but for words around them', async (t) => {
  const inHtml: TestPage[] = [
    // Links that credit no page are to be seen in the HTML alone.
    ...PAGES.map((page) => ({ ...page, html: page.html.replaceAll(/<a rel="nofollow".*?<\/a>/g, '') })),
    { ...page('f', link('x')), robots: 'nofollow' },
  ];
  const inRecords = inHtml.map(({ html = '', ...rest }) => ({
    ...rest,
    html: html.replaceAll(/<a .*?<\/a>/g, ''),
    links: [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href!),
  }));
  const { target, reader: expected } = await buildPages(t, inHtml, BOTH);
  const given = await buildPages(t, inRecords, BOTH);
  const inputs = (path: string) => ({ ...BOTH, inputs: [{ path, baseUrl: null, format: null }] });
  const silent = await buildPages(t, inRecords, { ...BOTH, keepText: false });
  const indexes = [
    given,
    await build(t, { ...inputs(given.target), windowWords: 3 }),
    silent,
    await build(t, { ...inputs(silent.target), keepText: false }),
  ];
  for (const { reader } of indexes) {
    for (const name of 'abcdefxyz') {
      for (const part of ['out', 'in'])
        assert.deepEqual(linksOf(reader, part, name), linksOf(expected, part, name), name);
      const { features } = reader.bag(TOPIC, pageOf(reader, `${HOST}${name}`).id);
      assert.ok([...features].every((id) => reader.feature(TOPIC, id).part !== 'anchor'));
    }
  }
  assert.deepEqual(linksOf(given.reader, 'out', 'b'), ['x', 'y']);
  const [ask, askExpected] = [asker(await fixtureApp(given.target)), asker(await fixtureApp(target))];
  for (const by of ['cocitation', 'coupling', 'companion']) {
    const query = { url: `${HOST}${by === 'coupling' ? 'a' : 'x'}`, by, explain: true };
    const { related } = (await ask('/related', query)).body;
    assert.ok(related.length > 0, by);
    assert.deepEqual(related, (await askExpected('/related', query)).body.related, by);
  }
  const tagged = { url: `${HOST}g`, features: { tags: { tea: 1 } }, links: [`${HOST}x`, `${HOST}nowhere`] };
  const { reader } = await buildPages(t, [...inRecords, tagged], BOTH);
  assert.deepEqual(linksOf(reader, 'out', 'g'), ['x']);
  assert.equal(reader.findPage(`${HOST}nowhere`), -1, 'nothing says what it is');
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
