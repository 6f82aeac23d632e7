/** What URLs lead to. The cases stand in one index, each on two sites of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexReader } from '../../../../src/store/read/reader.ts';
import { type Built, buildPages, pageOf, urlsOf } from '../../build.ts';
import { document, prose, type TestPage } from '../../pages.ts';

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
const groundOf = (A: string, B: string) => [
  page(`${A}ground/1`, 1),
  page(`${A}ground/2`, 2),
  page(`${B}ground/3`, 3),
];

/** By the reason why records are no pages, how many of a case. */
type Skipped = Readonly<Record<string, number>>;

const cases: { readonly pages: readonly TestPage[]; readonly skipped: Skipped }[] = [];
const builtCases = (t: Parameters<typeof buildPages>[0]): Promise<Built> =>
  buildPages(
    t,
    cases.flatMap(({ pages }) => pages),
    { minPageCount: 1, maxPageShare: 1 },
  );

/** Declares a case: its pages beside the three above, on the sites `A` and `B`. */
function testCase(
  name: string,
  skipped: Skipped,
  pagesOf: (A: string, B: string) => readonly TestPage[],
  proof: (reader: IndexReader, A: string, B: string, reasons: readonly string[]) => void,
): void {
  const number = cases.length;
  const [A, B] = [`https://a${number}.example/`, `https://b${number}.example/`];
  cases.push({ pages: [...groundOf(A, B), ...pagesOf(A, B)], skipped });
  test(name, async (t) => {
    const { reader, noted } = await builtCases(t);
    const own = noted.faults.filter(({ url }) => url?.startsWith(A));
    proof(
      reader,
      A,
      B,
      own.map(({ reason }) => reason),
    );
  });
}

testCase(
  'a redirect is an alias of its target and brings it the links that it got',
  { redirect: 1 },
  (A, B) => [
    page(`${A}new`, 4),
    redirect(`${A}old`, '/new'),
    page(`${B}linker`, 5, { links: [`${A}old`] }),
    page(`${B}other`, 6, { links: [`${A}ground/1`] }),
  ],
  (reader, A) => {
    const target = pageOf(reader, `${A}old`);
    assert.equal(target.url, `${A}new`);
    assert.deepEqual(reader.aliases(target.id), [{ url: `${A}old`, kind: 'redirect' }]);
    assert.equal(target.inLinkCount, 1);
    assert.ok(anchorWeight(reader, target.id) > 0);
  },
);

testCase(
  'a chain of thirty redirects ends at its page, each link of it an alias',
  { redirect: 30 },
  (A) => [
    ...Array.from({ length: 30 }, (_, i) =>
      redirect(`${A}hop${i}`, i === 29 ? `${A}end` : `${A}hop${i + 1}`),
    ),
    page(`${A}end`, 4),
    page(`${A}linker`, 5, { links: [`${A}hop0`, `${A}hop12`] }),
  ],
  (reader, A) => {
    const end = pageOf(reader, `${A}end`);
    for (let i = 0; i < 30; i++) assert.equal(reader.findPage(`${A}hop${i}`), end.id);
    assert.equal(reader.aliases(end.id).length, 30);
    assert.equal(pageOf(reader, `${A}linker`).outLinkCount, 1);
  },
);

for (const order of ['as they came', 'turned round']) {
  const inOrder = (one: TestPage, other: TestPage) =>
    order === 'as they came' ? [one, other] : [other, one];

  testCase(
    `of two redirects of one URL the later holds, ${order}`,
    { redirect: 2 },
    (A) => [
      page(`${A}one`, 4),
      page(`${A}two`, 5),
      ...inOrder(redirect(`${A}from`, `${A}one`, 1), redirect(`${A}from`, `${A}two`, 2)),
    ],
    (reader, A) => assert.equal(pageOf(reader, `${A}from`).url, `${A}two`),
  );

  testCase(
    `of several captures of one URL the later speaks and the others credit no page, ${order}`,
    { duplicate: 1 },
    (A, B) => [
      page(`${A}linker`, 6, { links: [`${B}kept`] }),
      ...inOrder(
        page(`${A}twice`, 4, { day: 1, links: [`${B}dropped`, `${B}kept`] }),
        page(`${A}twice`, 5, { day: 2, links: [`${B}kept`] }),
      ),
    ],
    (reader, A, B) => {
      assert.equal(pageOf(reader, `${A}twice`).title, 'Page 5');
      assert.equal(reader.findPage(`${B}dropped`), -1);
      assert.equal(pageOf(reader, `${B}kept`).inLinkCount, 2);
      assert.equal(pageOf(reader, `${B}kept`).title, 'lighthouse 5');
    },
  );
}

testCase(
  'a circle of redirects is no page of its own and stops nothing',
  { redirect: 3 },
  (A) => [
    redirect(`${A}x`, `${A}y`),
    redirect(`${A}y`, `${A}z`),
    redirect(`${A}z`, `${A}y`),
    page(`${A}hopeful`, 5, { head: canonical(`${A}x`) }),
  ],
  (reader, A) => {
    assert.equal(pageOf(reader, `${A}hopeful`).fetched, true);
    assert.equal(reader.findPage(`${A}x`), -1);
  },
);

testCase(
  'a URL that was fetched as a page is no alias, whatever a redirect says',
  { redirect: 1 },
  (A) => [page(`${A}both`, 4), redirect(`${A}both`, `${A}ground/1`)],
  (reader, A) => assert.equal(pageOf(reader, `${A}both`).url, `${A}both`),
);

testCase(
  'a canonical link folds a page into its target inside the site, fetched or not',
  { canonical: 2 },
  (A, B) => [
    page(`${A}print`, 4, { head: canonical(`${A}ground/1`), links: [`${B}credited`] }),
    page(`${A}m/5`, 5, { head: canonical(`${A}five`) }),
    page(`${A}tablet/5`, 6, { head: canonical(`${A}five`), day: 3 }),
  ],
  (reader, A, B) => {
    assert.equal(pageOf(reader, `${A}print`).url, `${A}ground/1`);
    const five = pageOf(reader, `${A}m/5`);
    assert.equal(five.url, `${A}five`);
    assert.equal(five.fetched, true);
    assert.equal(five.title, 'Page 6', 'the later capture speaks');
    assert.equal(reader.findPage(`${B}credited`), -1, 'a folded page credits no page');
  },
);

testCase(
  'a canonical link to another site holds only where its target was fetched',
  { canonical: 1, redirect: 1 },
  (A, B) => [
    page(`${A}lender`, 4, { head: canonical(`${B}stranger`) }),
    page(`${A}mirror`, 5, { head: canonical(`${B}ground/3`) }),
    page(`${A}sly`, 6, { head: canonical(`${B}door`) }),
    redirect(`${B}door`, `${B}victim`),
  ],
  (reader, A, B) => {
    assert.equal(pageOf(reader, `${A}lender`).url, `${A}lender`);
    assert.equal(pageOf(reader, `${A}mirror`).url, `${B}ground/3`);
    assert.equal(pageOf(reader, `${A}sly`).url, `${A}sly`);
    assert.equal(reader.findPage(`${B}stranger`), -1);
    assert.equal(reader.findPage(`${B}victim`), -1);
  },
);

testCase(
  'where a page leads to an unfetched URL by way of that site, the site speaks for itself',
  { canonical: 1 },
  (A, B) => [
    page(`${A}mirror`, 4, { head: canonical(`${B}mobile`), day: 9 }),
    page(`${B}mobile`, 5, { head: canonical(`${B}desktop`), day: 1 }),
  ],
  (reader, A, B) => {
    const desktop = pageOf(reader, `${A}mirror`);
    assert.equal(desktop.url, `${B}desktop`);
    assert.equal(desktop.title, 'Page 5');
  },
);

testCase(
  'a circle of canonical links is decided by string order',
  { canonical: 1 },
  (A) => [page(`${A}c`, 4, { head: canonical(`${A}b`) }), page(`${A}b`, 5, { head: canonical(`${A}c`) })],
  (reader, A) => {
    assert.equal(pageOf(reader, `${A}c`).url, `${A}b`);
    assert.equal(pageOf(reader, `${A}b`).title, 'Page 5');
  },
);

testCase(
  'a canonical link to a page that is gone or hidden does not hold',
  { status: 1, noindex: 1 },
  (A) => [
    page(`${A}kept`, 4, { head: canonical(`${A}missing`) }),
    { url: `${A}missing`, status: 404 },
    page(`${A}open`, 5, { head: canonical(`${A}hidden`) }),
    page(`${A}hidden`, 6, { head: NOINDEX }),
  ],
  (reader, A) => {
    assert.equal(pageOf(reader, `${A}kept`).url, `${A}kept`);
    assert.equal(pageOf(reader, `${A}open`).url, `${A}open`);
  },
);

testCase(
  'pages that ask not to be indexed, 404 and 410 make no page although they are linked to',
  { noindex: 1, status: 3 },
  (A) => [
    page(`${A}linker`, 4, { links: [`${A}hidden`, `${A}lost`, `${A}removed`, `${A}somewhere`] }),
    page(`${A}hidden`, 5, { head: NOINDEX }),
    { url: `${A}lost`, status: 404 },
    { url: `${A}removed`, status: 410 },
    { url: `${A}broken`, status: 500 },
  ],
  (reader, A, _B, reasons) => {
    for (const name of ['hidden', 'lost', 'removed']) assert.equal(reader.findPage(A + name), -1, name);
    assert.equal(pageOf(reader, `${A}somewhere`).fetched, false);
    assert.deepEqual([...reasons].sort(), ['noindex', 'status', 'status', 'status']);
  },
);

testCase(
  'a page that asks not to be indexed in its latest capture goes',
  { noindex: 1, duplicate: 1 },
  (A, B) => [
    page(`${A}shy`, 4, { day: 1, links: [`${B}near`] }),
    page(`${A}shy`, 5, { day: 2, head: NOINDEX, links: [`${B}near`, `${B}only-shut`] }),
  ],
  (reader, A) => assert.equal(reader.findPage(`${A}shy`), -1),
);

testCase(
  'a page that asked not to be indexed comes back with a later capture',
  { noindex: 1 },
  (A, B) => [
    page(`${A}shy`, 5, { day: 1, head: NOINDEX, links: [`${B}near`, `${B}only-shut`] }),
    page(`${A}shy`, 4, { day: 2, links: [`${B}near`] }),
  ],
  (reader, A, B) => {
    assert.equal(pageOf(reader, `${A}shy`).title, 'Page 4');
    assert.equal(reader.findPage(`${B}only-shut`), -1);
  },
);

testCase(
  'of a page and a 404 of its URL the later holds, and a 404 without a time takes no page away',
  { status: 3, duplicate: 1 },
  (A) => [
    page(`${A}lost`, 4, { day: 1 }),
    { url: `${A}lost`, status: 404, day: 2 },
    { url: `${A}back`, status: 410, day: 1 },
    page(`${A}back`, 5, { day: 2 }),
    { url: `${A}unknown`, status: 404 },
    page(`${A}unknown`, 6, { day: 1 }),
    page(`${A}linker`, 7, { links: [`${A}lost`] }),
  ],
  (reader, A) => {
    assert.equal(reader.findPage(`${A}lost`), -1);
    for (const url of [`${A}back`, `${A}unknown`]) assert.equal(pageOf(reader, url).fetched, true, url);
  },
);

testCase(
  'of a redirect and a 404 of its URL the later holds',
  { status: 2, redirect: 2 },
  (A) => [
    redirect(`${A}old`, '/ground/1', 1),
    { url: `${A}old`, status: 404, day: 2 },
    { url: `${A}moved`, status: 404, day: 1 },
    redirect(`${A}moved`, '/ground/1', 2),
  ],
  (reader, A) => {
    assert.equal(reader.alias(`${A}old`), null);
    assert.equal(reader.alias(`${A}moved`)?.pageId, reader.findPage(`${A}ground/1`));
  },
);

testCase(
  'a redirect without a Location, and a 304 with one, are records without a page',
  { status: 2 },
  (A) => [
    { url: `${A}nowhere`, status: 301 },
    { url: `${A}same`, status: 304, location: `${A}ground/1` },
  ],
  (reader, A) => assert.equal(reader.alias(`${A}same`), null),
);

test('records that are no pages are counted by why', async (t) => {
  const { report } = await builtCases(t);
  const expected: Record<string, number> = {};
  for (const { skipped } of cases)
    for (const [why, count] of Object.entries(skipped)) expected[why] = (expected[why] ?? 0) + count;
  assert.deepEqual(report.skipped, expected);
});

test('an index tells its URLs in byte order', async (t) => {
  const urls = urlsOf((await builtCases(t)).reader);
  const inByteOrder = urls.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(urls, inByteOrder);
});

test('the same page twice is the index of the page once', async (t) => {
  const [A, B] = ['https://a.example/', 'https://b.example/'];
  const links = { links: [`${B}kept`] };
  const once = await buildPages(t, [
    ...groundOf(A, B),
    page(`${A}twice`, 4, links),
    page(`${A}other`, 5, links),
  ]);
  const twice = await buildPages(t, [
    ...groundOf(A, B),
    page(`${A}twice`, 4, links),
    page(`${A}other`, 5, links),
    page(`${A}twice`, 4, links),
  ]);
  assert.deepEqual(Array.from(twice.reader.pages()), Array.from(once.reader.pages()));
  assert.deepEqual(Array.from(twice.reader.allBags(1)), Array.from(once.reader.allBags(1)));
});

function anchorWeight(reader: IndexReader, pageId: number): number {
  const { features, weights } = reader.bag(1, pageId);
  let sum = 0;
  for (const [i, feature] of features.entries()) {
    if (reader.feature(1, feature).part === 'anchor') sum += weights[i]!;
  }
  return sum;
}
