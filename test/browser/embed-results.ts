/** Search results that the components fold and annotate, and pages where they cannot, in a real browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longTest } from '../long-test.ts';
import { BAKERY, GARDEN, MOVED, TINY, TWIN } from '../service/fixture-index.ts';
import { overflow } from './chromium.ts';
import { document } from './embed-page.ts';
import { DESKTOP, open, PHONE, shiftOf, stillness, violations } from './embedding.ts';
import { browser, site, skip } from './origins.ts';

/** Of the browser. */
declare const getComputedStyle: (element: unknown) => {
  unicodeBidi: string;
  direction: string;
  textAlign: string;
  color: string;
};
const HITS = [`${BAKERY}0`, `${GARDEN}3`, TWIN, `${BAKERY}1`, 'https://unknown.example/', TINY];
const RESULTS = `<akin-results hold><ol>${HITS.map((url, i) => `<li><a href="${url}">Hit ${i}</a><p>What it says</p></li>`).join('')}</ol></akin-results>`;
const HOLD = `<style>
  akin-results[hold], akin-results[hold] ~ * { animation: hold 9s step-end }
  body { background: Canvas; color: CanvasText }
  @media (scripting: none) { akin-results, akin-results ~ * { animation: none !important } }
  @keyframes hold { from { visibility: hidden } }
</style>`;

for (const [view, declare] of [
  [PHONE, test],
  [{ ...DESKTOP, colorScheme: 'dark' as const }, longTest],
] as const) {
  declare(
    `results are folded and get related pages in one call, by keyboard as by touch, at ${view.viewport!.width} px`,
    { skip },
    async () => {
      const body = `${RESULTS}<p>The end</p>`;
      const url = site.serve('/results', document(body, { head: HOLD }));
      const { page, requests, complaints, close } = await open(browser!, url, view);
      const button = page.getByRole('button', { name: '1 similar page' });
      await button.waitFor();
      assert.deepEqual(await page.locator('li:visible > a[href]:text-matches("^Hit")').allTextContents(), [
        'Hit 0',
        'Hit 1',
        'Hit 3',
        'Hit 4',
        'Hit 5',
      ]);
      const links = page.locator('.akin-hit a:visible');
      const hrefs = await links.evaluateAll((all) => all.map(({ href }) => href as string));
      assert.ok(hrefs.length > 3 && !hrefs.some((href) => HITS.includes(href)), 'only what is not listed');

      assert.equal(await button.getAttribute('aria-expanded'), 'false');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
      const copy = page.locator('.akin-hit').first().getByRole('link', { name: 'Hit 2' });
      assert.equal(await copy.getAttribute('href'), TWIN);
      await stillness(page);
      if (view === PHONE) assert.deepEqual(await violations(page), []);
      if (view === PHONE) await button.tap();
      else await page.keyboard.press('Space');
      assert.equal(await copy.isVisible(), false);

      assert.equal(requests.filter((request) => request.startsWith('POST')).length, 1);
      assert.deepEqual(complaints, []);
      assert.equal(await shiftOf(page), 0);
      assert.equal(await overflow(page), 0);
      await close();
    },
  );
}

test('a page stays as it is without script, and where the service fails', { skip }, async () => {
  const own = (endpoint: string) =>
    `<akin-related url="${GARDEN}0" endpoint="${endpoint}"><a href="/all">All articles</a></akin-related>` +
    RESULTS.replace('hold', `hold endpoint="${endpoint}"`);
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
  site.serve('/html/related', '<p>No JSON', cors);
  site.serve('/html/related/batch', '<p>No JSON', cors);
  site.serve('/empty/related', '{}', cors);
  site.serve('/empty/related/batch', '{}', cors);
  const ends = ['http://127.0.0.1:1', site.origin, `${site.origin}/html`, `${site.origin}/empty`];
  const url = site.serve('/plain', document(ends.map(own).join(''), { head: HOLD }));
  const seen: string[] = [];
  for (const javaScriptEnabled of [false, true]) {
    // All is in sight, so that all is asked for.
    const viewport = { width: 1280, height: 5000 };
    const { page, requests, close } = await open(browser!, url, { viewport, javaScriptEnabled });
    if (javaScriptEnabled) {
      await page.waitForFunction("document.querySelector('akin-results[hold]') === null");
      await page.waitForLoadState('networkidle');
      for (const path of ['/related?', '/related/batch']) {
        const asked = ends.filter((end) => requests.some((one) => one.includes(`${end}${path}`)));
        assert.deepEqual(asked, ends, path);
      }
      assert.equal(await shiftOf(page), 0);
    }
    seen.push(await page.locator('main').ariaSnapshot());
    assert.equal(await page.getByText('All articles').filter({ visible: true }).count(), ends.length);
    await close();
  }
  assert.equal(seen[1], seen[0]);
});

longTest('a copy on the site of the page is listed without its host', { skip }, async () => {
  const home = site.origin.replace('127.0.0.1', 'www.localhost');
  const groups = [{ members: [0, 1, 2].map((rank) => ({ rank })) }];
  site.serve('/own/related/batch', JSON.stringify({ results: [{}, {}, {}], groups }));
  const hits = [`${home}/one`, `${home}/two`, 'https://www.other.example/'].map(
    (url) => `<li><a href="${url}">A page</a></li>`,
  );
  const element = `<akin-results hold endpoint="${home}/own"><ol>${hits.join('')}</ol></akin-results>`;
  site.serve('/own', document(element));
  const { page, close } = await open(browser!, `${home}/own`, DESKTOP);
  await page.getByRole('button', { name: '2 similar pages' }).click();
  assert.deepEqual(await page.locator('.akin-hit [part=site]').allTextContents(), ['other.example']);
  await close();
});

longTest('on an Arabic page it reads from the right and speaks Arabic', { skip }, async () => {
  const related = `<akin-related url="${GARDEN}0"></akin-related>`;
  const arabic = { lang: 'ar-EG', dir: 'rtl', head: HOLD };
  const { page, close } = await open(browser!, site.serve('/ar', document(RESULTS + related, arabic)), PHONE);
  await page.locator('akin-related a').first().waitFor();
  assert.equal(await page.locator('akin-related h2').textContent(), 'صفحات ذات صلة');
  assert.equal(await page.locator('button').textContent(), 'صفحات مشابهة: 1');
  const [list, heading] = ['akin-related', 'akin-related h2'].map((name) => page.locator(name));
  const box = (await list!.boundingBox())!;
  const link = (await page.locator('akin-related a').first().boundingBox())!;
  assert.ok(Math.abs(box.x + box.width - link.x - link.width) < 2, 'at the right edge');
  assert.equal(await heading!.evaluate((h) => getComputedStyle(h).direction), 'rtl');
  // A title of letters from left to right, which fills its line.
  const place = `<akin-moved url="${MOVED}"></akin-moved>`;
  await page.goto(site.serve('/ar-moved', document(place, arabic)));
  await page.locator('akin-moved a').waitFor();
  const text = (await page.locator('akin-moved a span').boundingBox())!;
  const line = (await page.locator('akin-moved li').boundingBox())!;
  const align = await page.locator('akin-moved a').evaluate((a) => getComputedStyle(a).textAlign);
  assert.deepEqual([align, Math.round(text.x + text.width)], ['right', Math.round(line.x + line.width)]);
  assert.equal(await overflow(page), 0);
  await close();
});

longTest(
  'a list that is moved while it waits gets what it waits for, and one long address spoils nothing',
  {
    skip,
  },
  async () => {
    const long = `<li><a href="https://long.example/${'x'.repeat(5000)}">Long</a></li>`;
    const results = RESULTS.replace(' hold', '').replace('</ol>', `${long}</ol>`);
    const body = `${results}<p id="place"></p>${'<p>Text</p>'.repeat(60)}`;
    const { page, complaints, close } = await open(browser!, site.serve('/results-moved', document(body)));
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('.akin-hit').count(), 0);
    await page.evaluate(`document.querySelector('#place').append(document.querySelector('akin-results'))`);
    await page.mouse.wheel(0, 1500);
    await page.locator('.akin-hit').first().waitFor({ state: 'attached' });
    assert.deepEqual(complaints, []);
    await close();
  },
);
