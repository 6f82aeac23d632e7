/** `<akin-search>` where answers come late, fail, or come to a box that has moved, and where results lie over the page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { longTest } from '../long-test.ts';
import { open, stillness } from './embedding.ts';
import { browser, site, skip } from './origins.ts';
import { document, POLICY } from './search-page.ts';

/** Of the browser. */
declare const getComputedStyle: (element: unknown) => { color: string };

/** Has answers of searches come late. */
async function slowly(page: Page): Promise<void> {
  await page.route(/\/search\?/, async (route) => {
    await sleep(400);
    await route.continue();
  });
}

test('where more cannot be had, what is there stays, and the same button asks again', { skip }, async () => {
  const url = site.serve(
    '/search-fault',
    document('<akin-search limit="2" param="q"></akin-search>'),
    POLICY,
  );
  const { page, close } = await open(browser!, `${url}?q=sourdough`);
  const links = page.locator('akin-search [part=link]');
  await links.nth(1).waitFor();
  const json = { code: 'overloaded', detail: 'too many requests' };
  const headers = { 'access-control-allow-origin': '*', 'retry-after': '1' };
  await page.route(/[?&]cursor=/, (route) => route.fulfill({ status: 503, json, headers }));
  const more = page.getByRole('button', { name: 'More' });
  await more.click();
  const fault = page.getByRole('alert').filter({ hasText: 'The search does not answer now.' });
  await fault.waitFor();
  assert.equal(await links.count(), 2);
  await page.unroute(/[?&]cursor=/);
  await more.click();
  await links.nth(3).waitFor();
  assert.equal(await fault.count(), 0);
  await close();
});

longTest(
  'results over the page are there for who is in the box or in them, and for no one else',
  {
    skip,
  },
  async () => {
    const body = '<akin-search floating param="q"></akin-search><p>Text</p><button id="after">After</button>';
    const url = site.serve('/search-floating', document(body), POLICY);
    const { page, complaints, close } = await open(browser!, `${url}?q=sourdough`);
    const box = page.getByRole('combobox', { name: 'Search' });
    const panel = page.locator('akin-search [part=panel]');
    const links = page.locator('akin-search [part=link]');
    await box.focus();
    await links.first().waitFor();
    await page.locator('akin-search [part=description]').first().click();
    assert.ok(await panel.isVisible(), 'a press in it leaves it open');
    await links.first().focus();
    await page.keyboard.press('Escape');
    assert.equal(await panel.isVisible(), false);
    assert.ok(await box.evaluate((input) => input.getRootNode().activeElement === input));
    await slowly(page);
    const leave = [() => page.locator('#after').focus(), () => box.press('Escape')];
    for (const [i, left] of leave.entries()) {
      const answered = page.waitForResponse(/\/search\?/);
      await box.fill(`sour${'d'.repeat(i)}`);
      await page.waitForRequest(/\/search\?/);
      await left();
      await answered;
      await stillness(page);
      assert.deepEqual([await panel.isVisible(), await box.getAttribute('aria-expanded')], [false, 'false']);
    }
    assert.deepEqual(complaints, []);
    await close();
  },
);

longTest(
  'words that are marked are seen in the colors that a reader forces on the page',
  { skip },
  async () => {
    const url = site.serve('/forced', document('<akin-search param="q"></akin-search>'), POLICY);
    const forced = { forcedColors: 'active', colorScheme: 'dark' } as const;
    const { page, close } = await open(browser!, `${url}?q=sourdough`, forced);
    const mark = page.locator('akin-search mark').first();
    await mark.waitFor();
    const color = await mark.evaluate((element) => getComputedStyle(element).color);
    // On black.
    assert.ok(
      Math.max(
        ...color
          .match(/[\d.]+/g)!
          .slice(0, 3)
          .map(Number),
      ) > 0.6,
      color,
    );
    await close();
  },
);

longTest('a late answer takes the focus from no one who has gone on', { skip }, async () => {
  const body = '<akin-search limit="2" param="q"></akin-search><button id="after">After</button>';
  const { page, close } = await open(browser!, `${site.serve('/late', document(body), POLICY)}?q=sourdough`);
  await page.locator('akin-search [part=link]').nth(1).waitFor();
  await slowly(page);
  const more = page.getByRole('button', { name: 'More' });
  const facet = page.getByRole('group', { name: 'Site' }).getByRole('button').nth(1);
  for (const pressed of [more, facet]) {
    const answered = page.waitForResponse(/\/search\?/);
    await pressed.click();
    await page.locator('#after').focus();
    await answered;
    await stillness(page);
    assert.equal(await page.evaluate('document.activeElement.id'), 'after');
  }
  await close();
});

longTest('the box of a form is the one that is typed into, whatever stands before it', { skip }, async () => {
  const form = '<form action="/all"><input type="hidden" name="theme" value="dark"><input name="q"></form>';
  const url = site.serve('/search-hidden', document(`<akin-search>${form}</akin-search>`), POLICY);
  const all = site.serve('/all', document('<p>All results</p>'), POLICY);
  const { page, close } = await open(browser!, url);
  const box = page.getByRole('combobox', { name: 'Search' });
  assert.equal(await box.inputValue(), '');
  await box.fill('sourdough');
  await box.press('Enter');
  await page.waitForURL(`${all}?theme=dark&q=sourdough`);
  await close();
});

longTest(
  'a box that is moved while it waits gets its answer, and none shows what is not of its words',
  {
    skip,
  },
  async () => {
    const body = '<p id="place"></p><akin-search param="q"></akin-search>';
    const { page, close } = await open(browser!, site.serve('/search-moved', document(body), POLICY));
    await slowly(page);
    await page.goto(`${page.url()}?q=sour`);
    await page.evaluate(`document.querySelector('#place').append(document.querySelector('akin-search'))`);
    await page.locator('akin-search [part=link]').first().waitFor();
    const box = page.getByRole('combobox', { name: 'Search' });
    await box.fill('sourd');
    await page.getByRole('option', { name: 'sourdough' }).waitFor();
    await page.route(/\/suggest\?/, (route) => route.abort());
    await box.fill('rose');
    await page.locator('akin-search mark', { hasText: 'rose' }).first().waitFor();
    assert.equal(await page.getByRole('option').count(), 0);
    await close();
  },
);
