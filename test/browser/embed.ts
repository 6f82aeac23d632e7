/** Related pages and lost pages, embedded in pages of another origin, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longTest } from '../long-test.ts';
import { GARDEN, MOVED } from '../service/fixture-index.ts';
import { overflow } from './chromium.ts';
import { document, POLICY, SCRIPT_URL } from './embed-page.ts';
import { DESKTOP, open, PHONE, shiftOf, stillness, violations } from './embedding.ts';
import { akin, app, browser, site, skip } from './origins.ts';

/** More than two windows of text. */
const ARTICLE = '<p>When to prune a rose, and how far back to cut its canes.</p>'.repeat(60);
/** Of the browser. */
declare const getComputedStyle: (element: unknown) => {
  unicodeBidi: string;
  direction: string;
  color: string;
};
const ROSES = /^Rose garden lesson "\d+" <b>$/;

const NARROW_AND_DARK = { ...PHONE, colorScheme: 'dark' as const };
for (const [view, declare] of [
  [NARROW_AND_DARK, test],
  [DESKTOP, longTest],
] as const) {
  declare(
    `related pages are listed below an article of another site, under its strict policy, at ${view.viewport!.width} px`,
    {
      skip,
    },
    async () => {
      const head = `<link rel="canonical" href="${GARDEN}0">`;
      const body = `${ARTICLE}<akin-related limit="4"></akin-related><p>The end</p>`;
      const url = site.serve('/article', document(body, { head }), POLICY);
      const { page, requests, complaints, close } = await open(browser!, url, view);
      const links = page.locator('akin-related a');
      assert.deepEqual([await links.count(), requests.length], [0, 2], 'nothing is asked before it is near');
      await page.evaluate('document.querySelector("akin-related").scrollIntoView({ block: "end" })');
      await links.first().waitFor();
      await stillness(page);
      const titles = await links.allTextContents();
      assert.equal(titles.length, 4);
      for (const title of titles) assert.match(title, ROSES);
      const hrefs = await links.evaluateAll((all) => all.map(({ href }) => href as string));
      assert.ok(!hrefs.includes(`${GARDEN}0`), 'not the page itself');
      assert.match(
        await page.locator('akin-related').ariaSnapshot(),
        /- region "Related pages":\n +- heading "Related pages" \[level=2\]\n +- list:\n +- listitem:\n +- link /,
      );
      assert.deepEqual(
        requests.map((request) => request.replace(/\?.*/, '')),
        [`GET ${url}`, `GET ${SCRIPT_URL}`, `GET ${akin}/related`],
      );
      assert.deepEqual(complaints, []);
      assert.equal(await shiftOf(page), 0);
      assert.equal(await overflow(page), 0);
      // The long checks ask axe in every view.
      if (view !== DESKTOP) assert.deepEqual(await violations(page), []);
      await close();
    },
  );
}

longTest('words that both have are shown, and a template of the page makes the items', { skip }, async () => {
  const related = (
    await app.inject(
      `/related?${new URLSearchParams({ url: `${GARDEN}0`, limit: '2', explain: 'true', fetched: 'only', exclude_copies: 'true' })}`,
    )
  ).json().related as { title: string; url: string; why: { terms: { term: string }[] } }[];
  const words = related.map(({ why }) =>
    [...new Set(why.terms.map(({ term }) => term))].slice(0, 4).join(', '),
  );
  const template =
    '<template><a data-akin="url"><b data-akin="title"></b></a><i data-akin=" why  "></i><u data-akin="nothing"></u></template>';
  const element = (inside: string) => `<akin-related url="${GARDEN}0" limit="2" why>${inside}</akin-related>`;
  const url = site.serve('/template', document(`${element('')}${element(template)}`), POLICY);
  const { page, complaints, close } = await open(browser!, url, DESKTOP);
  await page.locator('akin-related b').last().waitFor();
  const [plain, own] = [page.locator('akin-related').first(), page.locator('akin-related').last()];
  assert.deepEqual(await plain.locator('[part=why]').allTextContents(), words);
  assert.deepEqual(await own.locator('i').allTextContents(), words);
  assert.deepEqual(
    await own.locator('a').evaluateAll((all) => all.map(({ href, textContent }) => [href, textContent])),
    related.map(({ url, title }) => [url, title]),
  );
  assert.equal(await own.locator('u').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

longTest(
  'nothing that is in sight moves: without room the list waits, with room it comes at once',
  {
    skip,
  },
  async () => {
    const related = (more = '') =>
      `<akin-related url="${GARDEN}1"${more}></akin-related><p id="end">The end</p>`;
    const style = '<style>akin-related { display: block; min-height: 20rem }</style>';
    const tight = await open(browser!, site.serve('/tight', document(`${related()}${ARTICLE}`)));
    await tight.page.waitForLoadState('networkidle');
    assert.equal(await tight.page.locator('akin-related a').count(), 0);
    await tight.page.mouse.wheel(0, 1500);
    await tight.page.locator('akin-related a').first().waitFor({ state: 'attached' });
    await stillness(tight.page);
    assert.equal(await shiftOf(tight.page), 0);
    await tight.close();

    const roomy = await open(browser!, site.serve('/roomy', document(related() + ARTICLE, { head: style })));
    await roomy.page.locator('akin-related a').first().waitFor();
    await stillness(roomy.page);
    assert.equal(await shiftOf(roomy.page), 0);
    await roomy.close();
  },
);

longTest(
  'cards without pictures keep no room for them beyond a window, and none once their end is out of sight',
  {
    skip,
  },
  async () => {
    const body = `${ARTICLE}<akin-related url="${GARDEN}1" cards limit="8"></akin-related>${ARTICLE}`;
    const { page, close } = await open(browser!, site.serve('/cards', document(body)), PHONE);
    const heights = async () =>
      (await page.evaluate(`(() => {
      const element = document.querySelector('akin-related');
      const list = element.shadowRoot.querySelector('section');
      return [innerHeight, element.offsetHeight, list?.offsetHeight ?? 0];
    })()`)) as [number, number, number];
    const em = 16;
    const [window, kept] = await heights();
    assert.ok(kept >= window && kept <= Math.max(window, 8 * 13 * em), `${kept} of ${window}`);
    await page.evaluate('document.querySelector("akin-related").scrollIntoView()');
    await page.locator('akin-related a').first().waitFor();
    await stillness(page);
    await page.evaluate('scrollBy(0, -600)');
    await page.waitForFunction(`document.querySelector('akin-related div') === null &&
    document.querySelector('akin-related').shadowRoot.firstElementChild.style.minBlockSize === ''`);
    await stillness(page);
    const [, height, list] = await heights();
    assert.ok(list > 0 && Math.abs(height - list) < 2, `${height} around ${list}`);
    assert.equal(await shiftOf(page), 0);
    await close();
  },
);

longTest(
  'a page that the index does not know is named in the console, and is no error there',
  { skip },
  async () => {
    const body =
      '<akin-related url="https://unknown.example/"><a href="/all">All articles</a></akin-related>';
    const { page, requests, complaints, close } = await open(browser!, site.serve('/new', document(body)));
    await page.locator('akin-related:not([aria-busy])').waitFor();
    await page.waitForLoadState('networkidle');
    assert.match(requests.at(-1)!, /\/related\?url=https%3A%2F%2Funknown\.example%2F/);
    assert.ok(await page.getByText('All articles').isVisible());
    assert.deepEqual(complaints, ['akin: not_indexed']);
    await close();
  },
);

test('a page that says not found says where its text is now, and nothing where that is not known', {
  skip,
}, async () => {
  const body = (of: string) => `<akin-moved url="${of}"><p>Try the search.</p></akin-moved>`;
  for (const view of [DESKTOP, { ...PHONE, colorScheme: 'dark' as const }]) {
    const url = site.serve('/lost', document(body(MOVED)), POLICY);
    const { page, complaints, close } = await open(browser!, url, view);
    const link = page.locator('akin-moved a');
    await link.waitFor();
    assert.equal(await link.getAttribute('href'), `${GARDEN}0`);
    assert.match(
      await page.locator('akin-moved').ariaSnapshot(),
      /- heading "This page is now at" \[level=2\]\n- list:\n +- listitem:\n +- link /,
    );
    assert.equal(await page.getByText('Try the search.').isVisible(), false);
    assert.deepEqual([complaints, await overflow(page)], [[], 0]);
    if (view !== DESKTOP) assert.deepEqual(await violations(page), []);
    await close();
  }
  const url = site.serve('/unknown', document(body('https://garden.example/never')), POLICY);
  const { page, complaints, close } = await open(browser!, url, DESKTOP);
  await stillness(page);
  assert.equal(await page.getByText('Try the search.').isVisible(), true);
  // A page that changes its address without loading: the places of one page are not those of another.
  const ask = (of: string) =>
    page.evaluate(`document.querySelector('akin-moved').setAttribute('url', '${of}')`);
  await ask(MOVED);
  await page.locator('akin-moved a').waitFor();
  await ask('https://garden.example/never');
  await page.getByText('Try the search.').waitFor();
  assert.equal(await page.locator('akin-moved a').count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

longTest('who searches on a page that says not found keeps the box below the place', { skip }, async () => {
  const body = `<akin-moved url="${MOVED}"><input aria-label="Search"></akin-moved>`;
  const url = site.serve('/lost-search', document(body), POLICY);
  const { page, close } = await open(browser!, url);
  const late = page.waitForRequest(/\/moved\?/).then(() => page.getByLabel('Search').fill('my words'));
  await page.route(/\/moved\?/, (route) => late.then(() => route.continue()));
  await page.reload();
  await page.locator('akin-moved a').waitFor();
  await stillness(page);
  const search = page.getByLabel('Search');
  assert.deepEqual([await search.inputValue(), await search.isVisible()], ['my words', true]);
  assert.ok(await search.evaluate((input) => input === input.ownerDocument.activeElement));
  await close();
});

longTest(
  'it speaks the language of the page in a shadow root, is defined once, and asks again with a key',
  {
    skip,
  },
  async () => {
    const again = `<script type="module" src="${akin}/embed.js?ver=2"></script>`;
    const url = site.serve('/nested', document(`<div id="host"></div>${again}`, { lang: 'de' }));
    const { page, complaints, close } = await open(browser!, url);
    await page.evaluate(`document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML =
    '<akin-related url="${GARDEN}0"></akin-related>'`);
    await page.getByRole('heading', { name: 'Verwandte Seiten' }).waitFor();
    const asked = page.waitForRequest((request) => request.headers()['authorization'] === 'Bearer akin_x');
    await page.evaluate(
      `document.querySelector('#host').shadowRoot.querySelector('akin-related').setAttribute('key', 'akin_x')`,
    );
    await asked;
    assert.deepEqual(complaints, []);
    await close();
  },
);

longTest(
  'a list that is taken away while it is asked for is not busy where it is put',
  { skip },
  async () => {
    const body = `<akin-related url="${GARDEN}0"><p>All articles</p></akin-related>${ARTICLE}${ARTICLE}`;
    const { page, close } = await open(browser!, site.serve('/taken', document(body)));
    await page.route(/\/related\?/, () => {});
    await page.reload();
    await page.locator('akin-related[aria-busy]').waitFor();
    await page.evaluate(`document.querySelector('main').append(document.querySelector('akin-related'))`);
    assert.equal(await page.locator('akin-related[aria-busy]').count(), 0);
    await close();
  },
);

longTest('a place that several lost pages went on to stands once', { skip }, async () => {
  const gone = (name: string) => ({
    url: `https://a.example/${name}`,
    title: name,
    strength: 'gone',
    passage: null,
    last_seen: null,
    now_at: { url: 'https://a.example/now', title: 'Now' },
  });
  const moved = { candidates: [gone('one'), gone('two')] };
  site.serve('/chains/moved', JSON.stringify(moved), { 'access-control-allow-origin': '*' });
  const element = `<akin-moved url="https://a.example/old" endpoint="${site.origin}/chains"></akin-moved>`;
  const { page, close } = await open(browser!, site.serve('/chained', document(element)), DESKTOP);
  const links = page.locator('akin-moved a');
  await links.first().waitFor();
  assert.deepEqual(await links.allTextContents(), ['Now']);
  await close();
});

test('what a hostile service or page says is text, and leads to the web alone', { skip }, async () => {
  const hostile = [
    { url: 'javascript:window.hacked=1', title: 'Script' },
    { url: 'data:text/html,x', title: 'Data' },
    { url: '//', title: 'Nothing' },
    {
      url: 'https://a.example/1',
      title: '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    },
    { url: 'https://a.example/2', title: `\u202Egnihsif \u2067${'x'.repeat(10_000)}` },
    { url: `https://a.example/${'long/'.repeat(500)}`, title: '  ' },
    {
      url: 'https://a.example/4',
      title: 'Card',
      image: 'javascript:1',
      published_at: 'never',
      description: '<b>',
    },
  ];
  const cors = { 'access-control-allow-origin': '*' };
  site.serve('/hostile/related', JSON.stringify({ related: hostile }), cors);
  const end = '<p id="end">The end</p>';
  const lists = ['', 'cards'].map(
    (cards) =>
      `<akin-related url="https://b.example/" endpoint="${site.origin}/hostile" ${cards}></akin-related>`,
  );
  const url = site.serve('/hostile', document(lists.join('') + end));
  for (const view of [DESKTOP, PHONE]) {
    const { page, complaints, close } = await open(browser!, url, view);
    await page.locator('akin-related a').nth(7).waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    const links = page.locator('akin-related a');
    const texts = await links.allTextContents();
    assert.equal(texts.length, 8, 'four of seven lead to the web');
    assert.equal(texts[0], hostile[3]!.title);
    assert.ok(texts.every((text) => /^[^\u202A-\u202E\u2066-\u2069]{1,301}$/.test(text)));
    const isolation = await links.evaluateAll((all) => all.map((a) => getComputedStyle(a).unicodeBidi));
    assert.deepEqual(new Set(isolation), new Set(['isolate']));
    assert.ok(
      (await page.locator('akin-related').first().boundingBox())!.height < 500,
      'titles are cut short',
    );
    assert.equal(await overflow(page), 0);
    assert.deepEqual(complaints, []);
    await close();
  }
});

longTest(
  'attributes ask and theme: heading, limit, other sites, a wrong one that the console names',
  {
    skip,
  },
  async () => {
    const style = '<style>akin-related::part(link) { color: rgb(1, 2, 3) }</style>';
    const asked = (more: string) => `<akin-related url="${GARDEN}0" ${more}></akin-related>`;
    const body = asked('limit="2" heading="Read on" level="3" same-site="exclude"') + asked('by="nonsense"');
    const { page, complaints, close } = await open(
      browser!,
      site.serve('/set', document(body, { head: style })),
    );
    const heading = page.getByRole('heading', { level: 3, name: 'Read on' });
    await heading.waitFor();
    await page.waitForLoadState('networkidle');
    const links = page.locator('akin-related').first().locator('a');
    const hrefs = await links.evaluateAll((all) => all.map(({ host }) => host as string));
    assert.ok(hrefs.length > 0 && hrefs.length <= 2 && !hrefs.includes('garden.example'), String(hrefs));
    assert.equal(await links.first().evaluate((a) => getComputedStyle(a).color), 'rgb(1, 2, 3)');
    assert.equal(await page.locator('akin-related').nth(1).textContent(), '');
    assert.match(complaints.join('\n'), /akin: by: must be one of/);
    const isAsked = page.waitForRequest(/boost/);
    await page.evaluate(`
    const more = document.querySelector('akin-related').cloneNode();
    for (const [name, value] of [['field', 'lang=de; price=..20'], ['boost', 'fresh:30d'], ['diversity', '0.3'], ['published-before', 'page'], ['fallback', 'site']])
      more.setAttribute(name, value);
    document.body.append(more);
    more.scrollIntoView();`);
    const parameters = new URL((await isAsked).url()).searchParams;
    assert.deepEqual(
      ['field', 'boost', 'diversity', 'published_before', 'fallback'].map((name) => parameters.getAll(name)),
      [['lang=de', 'price=..20'], ['fresh:30d'], ['0.3'], ['page'], ['site']],
    );
    await page.evaluate(`document.querySelector('akin-related').setAttribute('heading', '')`);
    await heading.waitFor({ state: 'detached' });

    // An element in the language of its page is in that language itself, too.
    await page.evaluate(`
    document.documentElement.lang = 'de';
    const same = document.querySelector('akin-related').cloneNode();
    same.setAttribute('lang', 'same');
    for (const name of ['heading', 'same-site']) same.removeAttribute(name);
    document.body.append(same);
    same.scrollIntoView();`);
    await page.getByRole('heading', { name: 'Verwandte Seiten' }).waitFor();

    const unknown = page.waitForEvent('console', (message) => message.type() === 'info');
    await page.evaluate(
      `document.querySelector('akin-related').setAttribute('url', 'https://garden.example/none')`,
    );
    assert.equal((await unknown).text(), 'akin: not_indexed');

    // A page may name its language as programs do.
    const dated = [{ url: `${GARDEN}1`, title: 'A rose', published_at: '2026-03-01' }];
    await page.route(/\/related\?/, (route) =>
      route.fulfill({ json: { related: dated }, headers: { 'access-control-allow-origin': '*' } }),
    );
    await page.evaluate(`
    document.documentElement.lang = 'de_DE';
    const cards = document.createElement('akin-related');
    cards.toggleAttribute('cards');
    document.body.append(cards);
    cards.scrollIntoView();`);
    await page.getByRole('heading', { name: 'Verwandte Seiten' }).first().waitFor();
    assert.match((await page.locator('akin-related [part=time]').textContent())!, /2026/);
    await close();
  },
);
