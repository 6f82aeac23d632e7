/** The search page that embeds both components, as a visitor meets it. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { fixtureApp } from '../service/fixture-app.ts';
import { BAKERY, buildFixture, fixturePages, TWIN, temporaryFolder } from '../service/fixture-index.ts';
import { openChromium, overflow } from './chromium.ts';
import { DESKTOP, open, PHONE, shiftOf, stillness, violations } from './embedding.ts';

const found = await openChromium();
const browser = typeof found === 'string' ? null : found;
const skip = typeof found === 'string' ? found : false;
after(() => browser?.close());

const HOSTILE = {
  url: `https://hostile.example/${'long/'.repeat(100)}`,
  html: `<title>&lt;script&gt;window.hacked=1&lt;/script&gt; \u202Esourdough ${'x'.repeat(10_000)}</title><p>sourdough crust oven crumb proof rye ${'y'.repeat(300)}</p>`,
};
const indexPath = join(temporaryFolder({ after }), 'demo.akin');
await buildFixture(indexPath, [...fixturePages(), HOSTILE]);
const app = await fixtureApp(indexPath, { extend: addExplorer });
await app.listen({ port: 0, host: '127.0.0.1' });
const akin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

test('the same hits with akin and without; with it the copy is folded and related pages stand beside', {
  skip,
}, async () => {
  const without = await open(browser!, `${akin}/demo?q=sourdough&akin=off`);
  const hits = await without.page.locator('main ol > li').count();
  assert.equal(hits, 10);
  assert.deepEqual(
    without.requests.filter((request) => /related|embed/.test(request)),
    [],
  );
  await without.page.getByRole('link', { name: 'With akin' }).click();
  await without.page.locator('.akin-hit a').first().waitFor();
  await without.close();

  for (const view of [{ ...PHONE, colorScheme: 'dark' as const }]) {
    const { page, requests, complaints, close } = await open(browser!, `${akin}/demo?q=sourdough`, view);
    await page.locator('.akin-hit a').first().waitFor();
    await stillness(page);
    assert.equal(await page.locator('main ol > li').count(), hits);
    assert.equal(requests.filter((request) => request.startsWith('POST')).length, 1);
    assert.deepEqual(complaints, []);
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
    assert.equal(await shiftOf(page), 0);
    await close();
  }
});

test('the copy of a page about bread is one click below it', { skip }, async () => {
  // Of a page that does not scroll, copies are folded however late the answer comes.
  const tall = { ...DESKTOP, viewport: { width: 1280, height: 2000 } };
  const query = encodeURIComponent('"Bread book 0"');
  const { page, close } = await open(browser!, `${akin}/demo?q=${query}`, tall);
  await page.getByRole('button', { name: '1 similar page' }).click();
  const urls = [BAKERY, TWIN].map((url) => `a[href^="${url}"]:visible`);
  for (const url of urls) assert.ok((await page.locator(`main ol ${url}`).count()) > 0, url);
  assert.equal(await page.locator('main ol > li:visible').count(), 1);
  await close();
});

test('without script it is a search page, with words to try and a plain word where nothing is found', {
  skip,
}, async () => {
  const { page, close } = await open(browser!, `${akin}/demo`, { ...PHONE, javaScriptEnabled: false });
  await page.locator('.try a').first().click();
  await page.waitForURL(/\?q=/);
  assert.ok((await page.locator('main ol > li:visible').count()) > 0);
  await page.getByRole('searchbox').fill('nothingofthekind');
  await page.keyboard.press('Enter');
  await page.waitForURL(/nothingofthekind/);
  assert.match((await page.locator('main').textContent())!, /No page has these words/);
  assert.equal(await page.title(), 'nothingofthekind - search');
  await close();
});
