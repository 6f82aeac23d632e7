/** `<akin-search>` in a real browser, on pages of another origin with a strict policy. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longTest } from '../long-test.ts';
import { overflow } from './chromium.ts';
import { DESKTOP, open, PHONE, stillness, violations } from './embedding.ts';
import { app, browser, site, skip } from './origins.ts';
import { document, POLICY } from './search-page.ts';

const FORM =
  '<form action="/all"><input name="q" type="search" aria-label="Search"><button>Go</button></form>';

/** What the service answers for the same question. */
async function search(query: Record<string, string>): Promise<{ total: number; results: { url: string }[] }> {
  return (await app.inject(`/search?${new URLSearchParams(query)}`)).json();
}

for (const [view, declare] of [
  [{ ...PHONE, colorScheme: 'dark' as const }, test],
  [DESKTOP, longTest],
] as const) {
  declare(
    `it answers while one types: results, count, suggestions, facets, by keyboard, at ${view.viewport!.width} px`,
    { skip },
    async () => {
      const url = site.serve('/search-box', document('<akin-search limit="4"></akin-search>'), POLICY);
      const { page, complaints, close } = await open(browser!, url, view);
      const box = page.getByRole('combobox', { name: 'Search' });
      await box.pressSequentially('sour');
      const links = page.locator('akin-search [part=link]');
      await links.first().waitFor();
      const whole = await search({ q: 'sour', limit: '4' });
      assert.deepEqual(
        await links.evaluateAll((all) => all.map(({ href }) => href as string)),
        whole.results.map((result) => result.url),
      );
      assert.equal(await page.getByRole('status').textContent(), `${whole.total} pages`);
      assert.ok((await page.locator('akin-search mark').first().textContent())!.startsWith('sour'));
      const option = page.getByRole('option', { name: 'sourdough' });
      await option.waitFor();
      await stillness(page);
      assert.equal(await overflow(page), 0);
      // The long checks ask axe in every view.
      if (view !== DESKTOP) assert.deepEqual(await violations(page), []);

      await page.keyboard.press('ArrowDown');
      assert.equal(await box.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
      await page.keyboard.press('Enter');
      assert.equal(await box.inputValue(), 'sourdough');
      await page.keyboard.press('Escape');
      assert.deepEqual([await option.count(), await box.getAttribute('aria-expanded')], [0, 'false']);

      const facet = page.getByRole('group', { name: 'site' }).getByRole('button').nth(1);
      const name = (await facet.textContent())!.replace(/ .*/, '');
      await facet.click();
      const one = await search({ q: 'sourdough', site: name });
      await page
        .getByRole('status')
        .filter({ hasText: `${one.total} page` })
        .waitFor();
      assert.equal(await facet.getAttribute('aria-pressed'), 'true');
      assert.deepEqual(complaints, []);
      await close();
    },
  );
}

for (const [lang, names] of [
  ['en', ['All', 'English', 'German']],
  ['fr', ['Tout', 'anglais', 'allemand']],
  // No tag of a language: as the browser writes them.
  ['en_US', ['All', 'English', 'German']],
] as const) {
  test(`languages to choose from have their names in that of the page: ${lang}`, { skip }, async () => {
    const url = site.serve(
      '/search-languages',
      document('<akin-search param="q"></akin-search>', lang),
      POLICY,
    );
    const { page, complaints, close } = await open(browser!, `${url}?q=petal`);
    const choices = page.locator('akin-search [part=facet] button').filter({ hasNotText: 'example' });
    await choices.nth(2).waitFor();
    const texts = await choices.allTextContents();
    const shown = texts.map((text) => text.replace(/ \(.*/, '')).slice(-3);
    assert.deepEqual(shown, names);
    assert.deepEqual(complaints, []);
    await close();
  });
}

for (const timezoneId of ['America/Los_Angeles', 'Pacific/Auckland']) {
  test(`a day is that which the page says, and a time that of the reader: ${timezoneId}`, {
    skip,
  }, async () => {
    const results = ['2024-05-01', '2024-05-01T02:00:00Z'].map((published_at) => {
      return {
        url: 'https://a.example/%D1%87%D0%B0%D0%B9?%C2%A0',
        title: 'A',
        published_at,
        snippet: { text: '', marks: [] },
      };
    });
    const found = { total: 2, corrected: [], facets: [], next: null, results };
    site.serve('/days/search', JSON.stringify(found), { 'access-control-allow-origin': '*' });
    const element = `<akin-search param="q" endpoint="${site.origin}/days"></akin-search>`;
    const url = `${site.serve('/search-days', document(element))}?q=x`;
    const { page, close } = await open(browser!, url, { ...DESKTOP, timezoneId });
    const days = page.locator('akin-search time');
    await days.nth(1).waitFor();
    const ofReader = timezoneId.startsWith('America') ? 'Apr 30, 2024' : 'May 1, 2024';
    assert.deepEqual(await days.allTextContents(), ['May 1, 2024', ofReader]);
    const place = await page.locator('akin-search [part=path]').first().textContent();
    assert.equal(place, 'a.example/чай?%C2%A0', 'letters as letters, blanks as they are written');
    await close();
  });
}

test('Escape closes the suggestions, and results only where they lie over the page', { skip }, async () => {
  for (const floating of ['', 'floating']) {
    const url = site.serve('/search-escape', document(`<akin-search ${floating}></akin-search>`), POLICY);
    const { page, close } = await open(browser!, url);
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.pressSequentially('sour');
    await page.getByRole('option', { name: 'sourdough' }).waitFor();
    const result = page.locator('akin-search [part=link]').first();
    await result.waitFor();
    await box.press('Escape');
    assert.equal(await page.getByRole('option').count(), 0);
    assert.deepEqual([await result.isVisible(), await box.inputValue()], [floating === '', 'sour']);
    await close();
  }
});

test('words that are too many are named', { skip }, async () => {
  const words = 'sourdough '.repeat(16);
  const url = site.serve('/search-many', document('<akin-search param="q"></akin-search>', 'de'), POLICY);
  const { page, close } = await open(browser!, `${url}?q=${encodeURIComponent(`${words}rose petal`)}`);
  const said = page.getByRole('status').filter({ hasText: /\d Seite/ });
  await said.waitFor();
  assert.match((await said.textContent())!, / · Zu viele Wörter, nicht beachtet: rose petal$/);
  await close();
});

longTest('more results follow the first, and the focus goes to them', { skip }, async () => {
  const url = site.serve('/search-more', document('<akin-search limit="2" param="q"></akin-search>'), POLICY);
  const { page, close } = await open(browser!, `${url}?q=sourdough`);
  await page.getByRole('button', { name: 'More' }).click();
  const links = page.locator('akin-search [part=link]');
  await links.nth(3).waitFor();
  assert.equal(new Set(await links.evaluateAll((all) => all.map(({ href }) => href))).size, 4);
  assert.ok(await links.nth(2).evaluate((a) => a.getRootNode().activeElement === a));
  await close();
});

longTest(
  'where the index has changed, more results are those of the new list from its beginning',
  {
    skip,
  },
  async () => {
    const cors = { 'access-control-allow-origin': '*' };
    const url = site.serve(
      '/search-swapped',
      document('<akin-search limit="2" param="q"></akin-search>'),
      POLICY,
    );
    const { page, close } = await open(browser!, `${url}?q=sourdough`);
    const links = page.locator('akin-search [part=link]');
    await links.nth(1).waitFor();
    await page.route(/[?&]cursor=/, (route) =>
      route.fulfill({ status: 410, json: { code: 'generation-changed' }, headers: cors }),
    );
    const asked = page.waitForResponse((response) => /\/search\?(?!.*cursor=)/.test(response.url()));
    await page.getByRole('button', { name: 'More' }).click();
    await asked;
    const { total, results } = await search({ q: 'sourdough', limit: '2' });
    await page
      .getByRole('status')
      .filter({ hasText: `${total} page` })
      .waitFor();
    const shown = await links.evaluateAll((all) => all.map(({ href }) => href as string));
    assert.deepEqual(
      shown,
      results.map((result) => result.url),
    );
    await close();
  },
);

test('the box of some fields asks for pages that have them', { skip }, async () => {
  const element = '<akin-search field="version=v2; kind=guide,tutorial"></akin-search>';
  const { page, close } = await open(browser!, site.serve('/search-fields', document(element), POLICY));
  const asked = page.waitForRequest(/\/search\?/);
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('sour');
  const parameters = new URL((await asked).url()).searchParams;
  assert.deepEqual(parameters.getAll('field'), ['version=v2', 'kind=guide,tutorial']);
  // No page of this index has a field: that is said to whoever wrote the page.
  const answer = await app.inject(`/search?${parameters}`);
  assert.deepEqual([answer.statusCode, answer.json().errors[0].parameter], [400, 'field']);
  await close();
});

longTest('the box of one site suggests words of that site', { skip }, async () => {
  const element = '<akin-search site="garden.example"></akin-search>';
  const { page, close } = await open(browser!, site.serve('/search-site', document(element), POLICY));
  const asked = page.waitForRequest(/\/search\/suggest\?/);
  await page.getByRole('combobox', { name: 'Search' }).pressSequentially('ros');
  assert.equal(new URL((await asked).url()).searchParams.get('site'), 'garden.example');
  await close();
});

longTest('a form inside works without script, and Enter sends it', { skip }, async () => {
  const body = `<akin-search floating>${FORM}</akin-search><p>Text</p>`;
  const url = site.serve('/search-form', document(body), POLICY);
  const all = site.serve('/all', document('<p>All results</p>'), POLICY);
  for (const javaScriptEnabled of [true, false]) {
    const { page, close } = await open(browser!, url, { ...DESKTOP, javaScriptEnabled });
    const box = page.getByRole(javaScriptEnabled ? 'combobox' : 'searchbox', { name: 'Search' });
    await box.fill('sourdough');
    if (javaScriptEnabled) {
      await page.locator('akin-search [part=link]').first().waitFor();
      assert.deepEqual(await violations(page), []);
    }
    await box.press('Enter');
    await page.waitForURL(`${all}?q=sourdough`);
    await close();
  }
});

test('a word with a slip, a word of no page and a service that fails are said', { skip }, async () => {
  const cors = { 'access-control-allow-origin': '*' };
  const hostile = {
    total: 2,
    corrected: [],
    facets: [],
    next: null,
    results: [
      { url: 'javascript:window.hacked=1', title: 'Script', snippet: { text: '', marks: [] } },
      {
        url: 'https://a.example/',
        title: '<img src=x onerror="window.hacked=1">',
        snippet: { text: '\u202E<b>x', marks: [[1, 3]] },
      },
    ],
  };
  site.serve('/hostile-search/search', JSON.stringify(hostile), cors);
  site.serve('/hostile-search/search/suggest', JSON.stringify({ suggestions: [] }), cors);
  const boxes = ['', `endpoint="${site.origin}/hostile-search"`, 'endpoint="http://127.0.0.1:1"']
    .map((end, i) => `<akin-search label="box ${i}" ${end}></akin-search>`)
    .join('');
  const { page, close } = await open(browser!, site.serve('/search-slips', document(boxes, 'de')));
  const said = (box: number) => page.locator('akin-search').nth(box).getByRole('status');
  const type = (box: number, text: string) => page.getByRole('combobox', { name: `box ${box}` }).fill(text);
  await type(0, 'sourdouhg');
  await said(0).filter({ hasText: 'Ergebnisse für sourdough' }).waitFor();
  const sites = page.getByRole('group', { name: 'Website', exact: true }).getByRole('button');
  const hosts = await sites.allTextContents();
  assert.deepEqual([hosts[0], hosts.length > 1], ['Alle', true]);
  await sites.nth(1).click();
  await page.locator('akin-search [aria-pressed=true]', { hasText: hosts[1]!.split(' ')[0]! }).waitFor();
  assert.ok(await sites.nth(1).evaluate((button) => button.getRootNode().activeElement === button));
  await type(0, 'qqqqqqqq');
  await said(0).filter({ hasText: 'Keine Seite hat diese Wörter.' }).waitFor();
  await type(1, 'x');
  const link = page.locator('akin-search [part=link]');
  await link.waitFor();
  assert.equal(await link.textContent(), hostile.results[1]!.title);
  assert.equal(await page.locator('akin-search mark').textContent(), '<b');
  assert.equal(await page.evaluate('window.hacked'), undefined);
  await type(2, 'x');
  await said(2).filter({ hasText: 'Die Suche antwortet gerade nicht.' }).waitFor();
  await close();
});
