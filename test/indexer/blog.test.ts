/** A blog as its maker keeps it: a folder of files, read under its web address. What is expected was written down by hand. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { builtOnce } from '../built-once.ts';
import { longTest } from '../long-test.ts';
import { openProved, proveStore } from '../store/open-store.ts';
import { phraseOrder } from '../store/search-order.ts';
import { asSweeps, build, DEFAULTS, input, noting, pageOf, temporaryFolder, urlsOf } from './build.ts';
import { differingTables } from './sweeps.ts';

const BASE = 'https://baker.example/';
const POSTS: readonly (readonly [name: string, title: string, words: string])[] = [
  ['sourdough', 'Sourdough', 'A levain of rye wakes slowly in a cold kitchen and needs feeding twice.'],
  ['baguette', 'Baguette', 'Fold the wet dough gently, rest it, and bake in clouds of steam.'],
  ['brioche', 'Brioche', 'Butter goes in last, piece by piece, until the dough shines.'],
  ['focaccia', 'Focaccia', 'Dimple the dough with oiled fingers and scatter rosemary over it.'],
  ['pretzel', 'Prätzel', 'Dip the knots into lye before the oven makes them brown.'],
];

function postHtml([name, title, words]: (typeof POSTS)[number]): string {
  const day = `2024-05-0${POSTS.findIndex((post) => post[0] === name) + 1}`;
  return `<!doctype html><html lang="en"><head><title>${title} | The Baker</title>
    <meta name="description" content="${title} at home.">
    <meta property="og:image" content="https://baker.example/img/${name}.jpg">
    <meta property="og:site_name" content="The Baker">
    <script type="application/ld+json">{"@type": "BlogPosting", "datePublished": "${day}T08:00:00+02:00"}</script>
    </head><body><h1>${title}</h1><p>${words}</p>
    <p><a href="../../about/">about me</a> <a href="/about/index.html">the baker</a></p></body></html>`;
}

function blog(t: TestContext): string {
  const root = temporaryFolder(t);
  const files: Record<string, string> = {
    'index.html': `<title>The Baker</title><p>${POSTS.map(([name]) => `<a href="posts/${name}.html">${name}</a>`).join(' ')}`,
    'about/index.html': '<title>About | The Baker</title><p>I bake in a small village by the harbour.',
    'feed.xml': '<rss/>',
    'drafts/one.md': '# draft',
    'drafts/two.md': '# draft',
    'img/pretzel.jpg': 'not really',
  };
  for (const post of POSTS) files[`posts/${post[0]}.html`] = postHtml(post);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

/** The index of the blog, which is built and proved once. */
async function builtBlog(t: TestContext) {
  const target = join(temporaryFolder(t), 'blog.akin');
  const made = await builtOnce('the blog', target, async (once) => {
    const { reader, report, noted } = await build(t, { inputs: [input(blog(t), BASE)], target: once });
    reader.close();
    return { report, noted };
  });
  return { ...made, reader: openProved(t, target) };
}

test('a folder becomes the site that a server makes of it', async (t) => {
  const { reader, report, noted } = await builtBlog(t);
  assert.deepEqual(
    urlsOf(reader).filter((url) => reader.page(reader.findPage(url)).fetched),
    [BASE, `${BASE}about/`, ...POSTS.map(([name]) => `${BASE}posts/${name}.html`).sort()],
  );
  const about = pageOf(reader, `${BASE}about/index.html`);
  assert.equal(about.url, `${BASE}about/`);
  assert.equal(about.inLinkCount, POSTS.length, 'links to either form meet the page');
  assert.deepEqual(report.skippedFiles, { '.md': 2, '.xml': 1, '.jpg': 1 });
  assert.deepEqual(report.skipped, { media_type: 4 });
  assert.equal(noted.faults.length, 4);
  const [sweep] = reader.card().sweeps;
  assert.deepEqual([sweep!.recordCount, sweep!.skipped], [11, { media_type: 4 }]);
  assert.deepEqual(sweep!.skippedFiles, { '.jpg': 1, '.md': 2, '.xml': 1 });
});

test('with clean URLs a post has no extension, and its file is an alias', async (t) => {
  const inputs = [{ ...input(blog(t), BASE), cleanUrls: true }];
  const { reader } = await build(t, { inputs });
  assert.equal(pageOf(reader, `${BASE}posts/brioche.html`).url, `${BASE}posts/brioche`);
  assert.equal(pageOf(reader, `${BASE}posts/brioche`).inLinkCount, 1);
});

test('posts have cards and titles without the name of the blog', async (t) => {
  const { reader } = await builtBlog(t);
  const pretzel = pageOf(reader, `${BASE}posts/pretzel.html`);
  assert.deepEqual([pretzel.title, pretzel.fullTitle], ['Prätzel', 'Prätzel | The Baker']);
  assert.equal(pageOf(reader, BASE).title, 'The Baker');
  assert.deepEqual(reader.pageCards.get(pretzel.id), {
    image: 'https://baker.example/img/pretzel.jpg',
    description: 'Prätzel at home.',
    publishedAt: '2024-05-05T06:00:00Z',
    modifiedAt: null,
    siteName: 'The Baker',
  });
  assert.equal(reader.pageCards.get(pageOf(reader, BASE).id), null);
  assert.equal([...reader.pageCards.all()].length, POSTS.length);
});

test('pages are found by their words, titles first, whatever the accents', async (t) => {
  const { reader } = await builtBlog(t);
  const found = (phrase: string) =>
    reader.search.find(phraseOrder(phrase)).pages.map(({ pageId }) => reader.page(pageId).url);
  assert.equal(reader.search.isKept, true);
  assert.deepEqual(found('PRATZEL'), [`${BASE}posts/pretzel.html`]);
  assert.deepEqual(found('wet dough'), [`${BASE}posts/baguette.html`]);
  assert.deepEqual(found('dough wet'), []);
  assert.deepEqual(found('brioche')[0], `${BASE}posts/brioche.html`);
  assert.equal(reader.search.find(phraseOrder('dough', 1)).total, 3);
  assert.equal(reader.search.find(phraseOrder('dough', 2)).pages.length, 2);
  const scores = reader.search.find(phraseOrder('dough')).pages.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a, b) => b - a),
  );
});

test('the pages nearest to a URL that is not there are those of its folder, of its host alone', async (t) => {
  const { reader } = await builtBlog(t);
  const nearest = (url: string, count: number) => reader.nearestUrls(url, count).map((page) => page.url);
  assert.deepEqual(nearest(`${BASE}posts/briosh.html`, 2), [
    `${BASE}posts/brioche.html`,
    `${BASE}posts/baguette.html`,
  ]);
  assert.deepEqual(nearest(`${BASE}about/you`, 1), [`${BASE}about/`]);
  assert.deepEqual(nearest('https://butcher.example/posts/', 3), []);
});

test('search and cut titles can be left out; without texts there is no search', async (t) => {
  const root = blog(t);
  const inputs = [input(root, BASE)];
  const plain = await build(t, { inputs, search: false, keepTitles: true });
  assert.equal(plain.reader.search.isKept, false);
  assert.deepEqual(plain.reader.search.find(phraseOrder('dough')).pages, []);
  const { title, fullTitle } = pageOf(plain.reader, `${BASE}posts/brioche.html`);
  assert.deepEqual([title, fullTitle], ['Brioche | The Baker', 'Brioche | The Baker']);
  const silent = await build(t, { inputs, keepText: false });
  assert.equal(silent.reader.search.isKept, false);
});

longTest(
  'an index that grew gives what one build gives: cards, titles, search and left-out files',
  async (t) => {
    const root = blog(t);
    const later = temporaryFolder(t);
    mkdirSync(join(later, 'posts'));
    writeFileSync(
      join(later, 'posts/brioche.html'),
      postHtml(POSTS[2]!).replace('Brioche at home.', 'Brioche again.').replace('Butter', 'Margarine'),
    );
    writeFileSync(join(later, 'posts/notes.md'), '# note');
    const inputs = asSweeps([input(root, BASE), input(later, BASE)]);
    const whole = await build(t, { inputs });
    const grown = await build(t, { inputs: inputs.slice(0, 1) });
    const addition: BuildOptions = additionTo({
      ...DEFAULTS,
      inputs: inputs.slice(1),
      target: grown.target,
    });
    await buildIndex(addition, noting().listener);
    assert.deepEqual(differingTables(grown.target, whole.target), []);
    const brioche = pageOf(whole.reader, `${BASE}posts/brioche.html`);
    assert.equal(whole.reader.pageCards.get(brioche.id)!.description, 'Brioche again.');
    assert.equal(whole.reader.search.find(phraseOrder('margarine')).total, 1);
    assert.equal(whole.reader.search.find(phraseOrder('butter')).total, 0);
    assert.deepEqual(
      whole.reader.card().sweeps.map(({ skippedFiles }) => skippedFiles),
      [{ '.jpg': 1, '.md': 2, '.xml': 1 }, { '.md': 1 }],
    );
  },
);

longTest(
  'a page of a folder is lost under the URL that servers show, and the others keep their names',
  async (t) => {
    const root = blog(t);
    const about = join(root, 'about/index.html');
    const { target } = await build(t, { inputs: [input(root, BASE)] });
    const text = readFileSync(about);
    const sweep = async () => {
      const change = { inputs: [input(root, BASE)], sweepName: '', isWhole: true };
      await buildIndex(additionTo({ ...DEFAULTS, target, ...change }), noting().listener);
      const reader = IndexReader.open(target);
      t.after(() => reader.close());
      return reader;
    };
    rmSync(about);
    writeFileSync(
      join(root, 'posts/index.html'),
      '<title>Posts</title><p>All that I wrote of flour and water.',
    );
    const lost = await sweep();
    const page = lost.findPage(`${BASE}about/`);
    assert.deepEqual([lost.isGone(page), lost.captures(page).length], [true, 1]);
    for (const name of ['about', 'about/index.html']) assert.equal(lost.findPage(BASE + name), page, name);
    writeFileSync(about, text);
    for (const reader of [await sweep(), await sweep()]) {
      assert.ok(!reader.isGone(reader.findPage(`${BASE}about/`)));
      for (const name of ['about', 'about/index.html', 'posts', 'posts/index.html', 'index.html']) {
        const shown = name.replace(/index\.html$/, '').replace(/[a-z]$/, '$&/');
        assert.equal(reader.findPage(BASE + name), reader.findPage(BASE + shown), name);
        assert.ok(reader.findPage(BASE + name) >= 0, name);
      }
    }
    proveStore(target);
  },
);
