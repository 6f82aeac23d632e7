import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPages, pageOf, urlsOf } from '../../build.ts';
import { document, prose, type TestPage } from '../../pages.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** A page about `topic` that links to the given URLs. */
function page(
  url: string,
  seed: number,
  options: { links?: string[]; head?: string; day?: number } = {},
): TestPage {
  const links = (options.links ?? []).map(
    (to) => `<p>see the <a href="${to}">lighthouse ${seed}</a> there</p>`,
  );
  const html = document(`Page ${seed}`, `<p>${prose(seed)}</p>${links.join('')}`, options.head);
  return { url, html, ...(options.day === undefined ? {} : { day: options.day }) };
}

const redirect = (url: string, location: string, day?: number): TestPage => ({
  url,
  status: 301,
  location,
  ...(day === undefined ? {} : { day }),
});
const canonical = (to: string) => `<link rel="canonical" href="${to}">`;
const NOINDEX = '<meta name="robots" content="noindex">';

/** Three pages that share words, so that something is left after frequencies are bounded. */
const GROUND = [page(`${A}ground/1`, 1), page(`${A}ground/2`, 2), page(`${B}ground/3`, 3)];

test('a redirect is an alias of its target and brings it the links that it got', async (t) => {
  const pages = [
    ...GROUND,
    page(`${A}new`, 4),
    redirect(`${A}old`, '/new'),
    page(`${B}linker`, 5, { links: [`${A}old`] }),
    page(`${B}other`, 6, { links: [`${A}ground/1`] }),
  ];
  const { reader, report } = await buildPages(t, pages, { minPageCount: 1 });
  const target = pageOf(reader, `${A}old`);
  assert.equal(target.url, `${A}new`);
  assert.deepEqual(reader.aliases(target.id), [{ url: `${A}old`, kind: 'redirect' }]);
  assert.equal(target.inLinkCount, 1);
  assert.deepEqual(report.skipped, { redirect: 1 });
  assert.ok(anchorWeight(reader, target.id) > 0);
});

test('a chain of thirty redirects ends at its page, each link of it an alias', async (t) => {
  const chain = Array.from({ length: 30 }, (_, i) =>
    redirect(`${A}hop${i}`, i === 29 ? `${A}end` : `${A}hop${i + 1}`),
  );
  const { reader } = await buildPages(t, [
    ...GROUND,
    ...chain,
    page(`${A}end`, 4),
    page(`${A}linker`, 5, { links: [`${A}hop0`, `${A}hop12`] }),
  ]);
  const end = pageOf(reader, `${A}end`);
  for (let i = 0; i < 30; i++) assert.equal(reader.findPage(`${A}hop${i}`), end.id);
  assert.equal(reader.aliases(end.id).length, 30);
  assert.equal(pageOf(reader, `${A}linker`).outLinkCount, 1);
});

test('of two redirects of one URL the later holds, whatever their order', async (t) => {
  const ends = [page(`${A}one`, 4), page(`${A}two`, 5)];
  const early = redirect(`${A}from`, `${A}one`, 1);
  const late = redirect(`${A}from`, `${A}two`, 2);
  for (const redirects of [
    [early, late],
    [late, early],
  ]) {
    const { reader } = await buildPages(t, [...GROUND, ...ends, ...redirects]);
    assert.equal(pageOf(reader, `${A}from`).url, `${A}two`);
  }
});

test('a circle of redirects is no page of its own and stops nothing', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    redirect(`${A}x`, `${A}y`),
    redirect(`${A}y`, `${A}z`),
    redirect(`${A}z`, `${A}y`),
    page(`${A}hopeful`, 5, { head: canonical(`${A}x`) }),
  ]);
  assert.equal(pageOf(reader, `${A}hopeful`).fetched, true);
  assert.equal(reader.findPage(`${A}x`), -1);
});

test('a URL that was fetched as a page is no alias, whatever a redirect says', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    page(`${A}both`, 4),
    redirect(`${A}both`, `${A}ground/1`),
  ]);
  assert.equal(pageOf(reader, `${A}both`).url, `${A}both`);
});

test('a canonical link folds a page into its target inside the site, fetched or not', async (t) => {
  const { reader, report } = await buildPages(t, [
    ...GROUND,
    page(`${A}print`, 4, { head: canonical(`${A}ground/1`), links: [`${B}credited`] }),
    page(`${A}m/5`, 5, { head: canonical(`${A}five`) }),
    page(`${A}tablet/5`, 6, { head: canonical(`${A}five`), day: 3 }),
  ]);
  assert.equal(pageOf(reader, `${A}print`).url, `${A}ground/1`);
  const five = pageOf(reader, `${A}m/5`);
  assert.equal(five.url, `${A}five`);
  assert.equal(five.fetched, true);
  assert.equal(five.title, 'Page 6', 'the later capture speaks');
  assert.deepEqual(report.skipped, { canonical: 2 });
  assert.equal(reader.findPage(`${B}credited`), -1, 'a folded page credits no page');
});

test('a canonical link to another site holds only where its target was fetched', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    page(`${A}lender`, 4, { head: canonical(`${B}stranger`) }),
    page(`${A}mirror`, 5, { head: canonical(`${B}ground/3`) }),
    page(`${A}sly`, 6, { head: canonical(`${B}door`) }),
    redirect(`${B}door`, `${B}victim`),
  ]);
  assert.equal(pageOf(reader, `${A}lender`).url, `${A}lender`);
  assert.equal(pageOf(reader, `${A}mirror`).url, `${B}ground/3`);
  assert.equal(pageOf(reader, `${A}sly`).url, `${A}sly`);
  assert.equal(reader.findPage(`${B}stranger`), -1);
  assert.equal(reader.findPage(`${B}victim`), -1);
});

test('where a page leads to an unfetched URL by way of that site, the site speaks for itself', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    page(`${A}mirror`, 4, { head: canonical(`${B}mobile`), day: 9 }),
    page(`${B}mobile`, 5, { head: canonical(`${B}desktop`), day: 1 }),
  ]);
  const desktop = pageOf(reader, `${A}mirror`);
  assert.equal(desktop.url, `${B}desktop`);
  assert.equal(desktop.title, 'Page 5');
});

test('a circle of canonical links is decided by string order', async (t) => {
  const { reader, report } = await buildPages(t, [
    ...GROUND,
    page(`${A}c`, 4, { head: canonical(`${A}b`) }),
    page(`${A}b`, 5, { head: canonical(`${A}c`) }),
  ]);
  assert.equal(pageOf(reader, `${A}c`).url, `${A}b`);
  assert.equal(pageOf(reader, `${A}b`).title, 'Page 5');
  assert.deepEqual(report.skipped, { canonical: 1 });
});

test('a canonical link to a page that is gone or hidden does not hold', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    page(`${A}kept`, 4, { head: canonical(`${A}missing`) }),
    { url: `${A}missing`, status: 404 },
    page(`${A}open`, 5, { head: canonical(`${A}hidden`) }),
    page(`${A}hidden`, 6, { head: NOINDEX }),
  ]);
  assert.equal(pageOf(reader, `${A}kept`).url, `${A}kept`);
  assert.equal(pageOf(reader, `${A}open`).url, `${A}open`);
});

test('pages that ask not to be indexed, 404 and 410 make no page although they are linked to', async (t) => {
  const gone = [`${A}hidden`, `${A}lost`, `${A}removed`];
  const { reader, report, noted } = await buildPages(t, [
    ...GROUND,
    page(`${A}linker`, 4, { links: [...gone, `${A}somewhere`] }),
    page(`${A}hidden`, 5, { head: NOINDEX }),
    { url: `${A}lost`, status: 404 },
    { url: `${A}removed`, status: 410 },
    { url: `${A}broken`, status: 500 },
  ]);
  for (const url of gone) assert.equal(reader.findPage(url), -1, url);
  assert.equal(pageOf(reader, `${A}somewhere`).fetched, false);
  assert.deepEqual(report.skipped, { noindex: 1, status: 3 });
  assert.deepEqual(noted.faults.map(({ reason }) => reason).sort(), [
    'noindex',
    'status',
    'status',
    'status',
  ]);
});

test('of several captures of one URL the later speaks and the others credit no page', async (t) => {
  const early = page(`${A}twice`, 4, { day: 1, links: [`${B}dropped`, `${B}kept`] });
  const late = page(`${A}twice`, 5, { day: 2, links: [`${B}kept`] });
  const linker = page(`${A}linker`, 6, { links: [`${B}kept`] });
  for (const captures of [
    [early, late],
    [late, early],
  ]) {
    const { reader, report } = await buildPages(t, [...GROUND, linker, ...captures]);
    assert.equal(pageOf(reader, `${A}twice`).title, 'Page 5');
    assert.equal(reader.findPage(`${B}dropped`), -1);
    assert.equal(pageOf(reader, `${B}kept`).inLinkCount, 2);
    assert.equal(pageOf(reader, `${B}kept`).title, 'lighthouse 5');
    assert.deepEqual(report.skipped, { duplicate: 1 });
  }
});

test('the same page twice is the index of the page once', async (t) => {
  const links = { links: [`${B}kept`] };
  const once = await buildPages(t, [...GROUND, page(`${A}twice`, 4, links), page(`${A}other`, 5, links)]);
  const twice = await buildPages(t, [
    ...GROUND,
    page(`${A}twice`, 4, links),
    page(`${A}other`, 5, links),
    page(`${A}twice`, 4, links),
  ]);
  assert.deepEqual(Array.from(twice.reader.pages()), Array.from(once.reader.pages()));
  assert.deepEqual(Array.from(twice.reader.allBags(1)), Array.from(once.reader.allBags(1)));
});

test('a page that asks not to be indexed in its latest capture goes, and comes back with a later one', async (t) => {
  const open = (day: number) => page(`${A}shy`, 4, { day, links: [`${B}near`] });
  const shut = (day: number) =>
    page(`${A}shy`, 5, { day, head: NOINDEX, links: [`${B}near`, `${B}only-shut`] });
  const hidden = await buildPages(t, [...GROUND, open(1), shut(2)]);
  assert.equal(hidden.reader.findPage(`${A}shy`), -1);
  assert.deepEqual(hidden.report.skipped, { noindex: 1, duplicate: 1 });
  const back = await buildPages(t, [...GROUND, shut(1), open(2)]);
  assert.equal(pageOf(back.reader, `${A}shy`).title, 'Page 4');
  assert.equal(back.reader.findPage(`${B}only-shut`), -1);
  assert.deepEqual(back.report.skipped, { noindex: 1 });
});

function anchorWeight(
  reader: import('../../../../src/store/read/reader.ts').IndexReader,
  pageId: number,
): number {
  const { features, weights } = reader.bag(1, pageId);
  let sum = 0;
  for (const [i, feature] of features.entries()) {
    if (reader.feature(1, feature).part === 'anchor') sum += weights[i]!;
  }
  return sum;
}

test('an index tells its URLs in byte order', async (t) => {
  const { reader } = await buildPages(t, GROUND);
  assert.deepEqual(urlsOf(reader), [`${A}ground/1`, `${A}ground/2`, `${B}ground/3`]);
});

test('of a page and a 404 of its URL the later holds, and a 404 without a time takes no page away', async (t) => {
  const { reader, report } = await buildPages(t, [
    ...GROUND,
    page(`${A}lost`, 4, { day: 1 }),
    { url: `${A}lost`, status: 404, day: 2 },
    { url: `${A}back`, status: 410, day: 1 },
    page(`${A}back`, 5, { day: 2 }),
    { url: `${A}unknown`, status: 404 },
    page(`${A}unknown`, 6, { day: 1 }),
    page(`${A}linker`, 7, { links: [`${A}lost`] }),
  ]);
  assert.equal(reader.findPage(`${A}lost`), -1);
  for (const url of [`${A}back`, `${A}unknown`]) assert.equal(pageOf(reader, url).fetched, true, url);
  assert.deepEqual(report.skipped, { status: 3, duplicate: 1 });
});

test('of a redirect and a 404 of its URL the later holds', async (t) => {
  const { reader } = await buildPages(t, [
    ...GROUND,
    redirect(`${A}old`, '/ground/1', 1),
    { url: `${A}old`, status: 404, day: 2 },
    { url: `${A}moved`, status: 404, day: 1 },
    redirect(`${A}moved`, '/ground/1', 2),
  ]);
  assert.equal(reader.alias(`${A}old`), null);
  assert.equal(reader.alias(`${A}moved`)?.pageId, reader.findPage(`${A}ground/1`));
});

test('a redirect without a Location, and a 304 with one, are records without a page', async (t) => {
  const { reader, report } = await buildPages(t, [
    ...GROUND,
    { url: `${A}nowhere`, status: 301 },
    { url: `${A}same`, status: 304, location: `${A}ground/1` },
  ]);
  assert.deepEqual(report.skipped, { status: 2 });
  assert.equal(reader.alias(`${A}same`), null);
});
