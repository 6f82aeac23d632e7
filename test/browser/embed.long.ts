/** What takes its time: a service that never answers, and every view for axe. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { fixtureApp, fixtureIndex } from '../service/fixture-app.ts';
import { BAKERY, GARDEN, MOVED, TWIN } from '../service/fixture-index.ts';
import { openChromium, overflow } from './chromium.ts';
import { DESKTOP, open, PHONE, shiftOf, stillness, violations } from './embedding.ts';
import { openSite } from './site.ts';

const found = await openChromium();
const browser = typeof found === 'string' ? null : found;
const skip = typeof found === 'string' ? found : false;
const site = await openSite();
const silent = createServer(() => {}).listen(0, '127.0.0.1');
after(async () => {
  await browser?.close();
  site.close();
  silent.closeAllConnections();
  silent.close();
});
const app = await fixtureApp(await fixtureIndex());
await app.listen({ port: 0, host: '127.0.0.1' });
const originOf = (address: AddressInfo) => `http://127.0.0.1:${address.port}`;
const akin = originOf(app.server.address() as AddressInfo);

function document(endpoint: string): string {
  const hits = [`${BAKERY}0`, TWIN, `${GARDEN}1`].map((url) => `<li><a href="${url}">A hit</a></li>`);
  return pageOf(`<akin-results hold endpoint="${endpoint}"><ol>${hits.join('')}</ol></akin-results>
<akin-related url="${GARDEN}0" endpoint="${endpoint}" cards>What the page has</akin-related>`);
}

function pageOf(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page of a site</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>
  body { background: Canvas; color: CanvasText }
  akin-results[hold], akin-results[hold] ~ * { animation: hold .4s step-end }
  @keyframes hold { from { visibility: hidden } }
</style>
<script type="module" src="${akin}/embed.js"></script>
<script type="module" src="${akin}/akin-search.js"></script>
<main><h1>A page</h1>
${body}</main></html>`;
}

test('a service that never answers is given up, and the page is seen meanwhile', { skip }, async () => {
  const url = site.serve('/silent', document(originOf(silent.address() as AddressInfo)));
  const { page, close } = await open(browser!, url);
  await page.locator('akin-results[aria-busy]').waitFor();
  await page.locator('li').first().waitFor({ timeout: 2000 });
  await page.locator('akin-results:not([aria-busy]):not([hold])').waitFor({ timeout: 6000 });
  await page.locator('akin-related:not([aria-busy])').waitFor();
  assert.equal(await page.locator('li:visible').count(), 3);
  assert.ok(await page.getByText('What the page has').isVisible());
  assert.equal(await shiftOf(page), 0);
  await close();
});

for (const view of [DESKTOP, PHONE]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing at ${view.viewport!.width} px, ${colorScheme}`, { skip }, async () => {
      const lists = site.serve('/both', document(akin));
      const others = site.serve(
        '/others',
        pageOf(`<akin-moved url="${MOVED}"></akin-moved><akin-search></akin-search>`),
      );
      const { page, complaints, close } = await open(browser!, lists, { ...view, colorScheme });
      await page.locator('akin-related a').first().waitFor();
      await page.getByRole('button').click();
      await stillness(page);
      assert.deepEqual([await violations(page), complaints], [[], []]);
      assert.equal(await overflow(page), 0);
      await page.goto(others);
      await page.locator('akin-moved a').waitFor();
      await page.getByRole('combobox').fill('sour');
      await page.locator('akin-search [part=link]').first().waitFor();
      await stillness(page);
      assert.deepEqual([await violations(page), complaints], [[], []]);
      assert.equal(await overflow(page), 0);
      await close();
    });
  }
}
