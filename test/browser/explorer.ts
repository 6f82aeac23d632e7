/** The explorer in a real browser: wide and narrow, light and dark, by keyboard alone, and without script. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { hostileIndex, hostileUrl } from '../explorer/hostile-index.ts';
import { longTest } from '../long-test.ts';
import { fixtureApp, pathOf } from '../service/fixture-app.ts';
import { BAKERY, GARDEN, TINY, TWIN } from '../service/fixture-index.ts';
import { openChromium, overflow, type View } from './chromium.ts';
import { violations } from './embedding.ts';

const found = await openChromium();
const browser = typeof found === 'string' ? null : found;
const skip = typeof found === 'string' ? found : false;
after(() => browser?.close());

const app = await fixtureApp(await hostileIndex({ after }), { extend: addExplorer });
const origin = await app.listen({ host: '127.0.0.1', port: 0 });

export const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  page: pathOf('/explore/page', { url: `${GARDEN}0` }),
  hostile: pathOf('/explore/page', { url: hostileUrl('long') }),
  empty: pathOf('/explore/page', { url: TINY }),
  unknown: pathOf('/explore/page', { url: 'https://garden.example/roses/77' }),
  map: pathOf('/explore/map', { url: hostileUrl('arabic') }),
  compare: pathOf('/explore/compare', { a: `${BAKERY}0`, b: TWIN }),
  topics: '/explore/topics',
  search: pathOf('/explore/search', { q: 'rose thorn' }),
  sites: '/explore/sites',
  site: pathOf('/explore/sites', { site: 'garden.example' }),
  copies: '/explore/copies',
  lost: '/explore/moved',
  changes: '/explore/changes',
  reference: '/docs',
  operation: '/docs/similar',
  nothing: '/nope',
  text: pathOf('/explore/text', { text: 'bread dough and yeast' }),
};

async function open(
  path: string,
  options: BrowserContextOptions,
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser!.newContext(options);
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // The browser itself complains of a page that is a 404.
      if (/error|warning/.test(message.type()) && !/status of 404/.test(message.text()))
        complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:'))
        complaints.push(request.url());
    });
    await page.goto(origin + path);
    await run(page);
    assert.deepEqual(complaints, [], path);
    assert.equal(await page.evaluate('typeof window.hurt'), 'undefined', path);
  } finally {
    await context.close();
  }
}

const narrow = (width: number) => (width < 600 ? { isMobile: true, hasTouch: true } : {});

/** Declares the test of pages in some of the views: nothing overflows, and axe finds nothing. */
export function testViews(names: readonly string[], views: readonly View[]): void {
  test(`pages of the explorer fit and are accessible: ${names.join(', ')}`, { skip }, async () => {
    for (const { width, colorScheme } of views) {
      for (const name of names) {
        const options = { colorScheme, viewport: { width, height: 800 }, ...narrow(width) };
        await open(PAGES[name]!, options, async (page) => {
          const label = `${name} ${width} ${colorScheme}`;
          assert.equal(await overflow(page), 0, label);
          assert.deepEqual(await violations(page), [], label);
        });
      }
    }
  });
}

/** Declares the test of what is done by keyboard, and of what scripts add. */
export function testKeyboard(): void {
  const wide = { viewport: { width: 1280, height: 800 } };
  test('the box and the map are used by keyboard alone', { skip }, async () => {
    await open('/', wide, async (page) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('garden.example/roses/0');
      assert.match(await page.locator('#understood').innerText(), /A URL/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/explore\/page/);
      assert.match(await page.title(), /Rose garden lesson "0"/);
    });
    await open(PAGES['map']!, wide, async (page) => {
      await page.locator('.map.wide a[data-page="1"]').focus();
      assert.ok(await page.locator('#item-1').evaluate((item) => item.classList.contains('on')));
      assert.match(await page.locator('.pointed').innerText(), /similarity .*: both speak of /);
      await page.keyboard.press('ArrowLeft');
      const now = String(await page.evaluate('document.activeElement.dataset.page'));
      assert.notEqual(now, '1');
      assert.ok(await page.locator(`#item-${now}`).evaluate((item) => item.classList.contains('on')));
    });
  });

  longTest('a long URL, a map in a low window, two texts and a text that is pasted', { skip }, async () => {
    await open('/', wide, async (page) => {
      await page.locator('#q').fill(hostileUrl('long'));
      assert.match(await page.locator('#understood').innerText(), /A URL/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/explore\/page/);
    });
    // Where the list is longer than the window, the picture stays beside it with its keys, and lies over none of them.
    await open(PAGES['map']!, { viewport: { width: 1000, height: 600 } }, async (page) => {
      for (const y of [0, 150, 300, 450]) {
        const [picture, ...keys] = (await page.evaluate(`(() => {
          scrollTo(0, ${y});
          return [...document.querySelectorAll('.map.wide, .key')].map((one) => one.getBoundingClientRect().toJSON());
        })()`)) as { top: number; bottom: number; height: number }[];
        assert.ok(picture!.height > 100 && keys.length === 2);
        for (const key of keys) assert.ok(picture!.bottom <= key.top + 1, `scrolled by ${y}`);
      }
    });
    await open(PAGES['compare']!, wide, async (page) => {
      await page.locator('.text a[href="#b-0"]').focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#b-0$/);
      assert.equal(await page.locator('mark:target').getAttribute('id'), 'b-0');
    });
    // On a phone, where one text is shown: an address that was sent, a step on, and the way back.
    await open(`${PAGES['compare']!}#b-0`, { viewport: { width: 390, height: 800 } }, async (page) => {
      await page.locator('#b-0').waitFor();
      await page.locator('.text a[href="#a-0"]').click();
      await page.locator('#a-0').waitFor();
      await page.goBack();
      await page.locator('#b-0').waitFor();
    });
    await open('/', wide, async (page) => {
      const text = 'bread dough yeast flour knead '.repeat(20);
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', ${JSON.stringify(text)});
        document.querySelector('#q').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`);
      await page.waitForURL(/explore\/text/);
      assert.match(await page.locator('main').innerText(), /text of 100 words[\s\S]*Bread book/);
    });
  });

  longTest('without script, links and forms do the same', { skip }, async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 }, isMobile: true };
    const context = await browser!.newContext(options);
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    await page.locator('#q').fill('rose thorn');
    await page.locator('.box button').click();
    await page.locator('ol.found a').first().click();
    assert.match(page.url(), /explore\/page/);
    await page.getByRole('link', { name: 'map', exact: true }).click();
    assert.ok((await page.locator('.map circle').count()) > 5);
    await page.goto(`${origin}/explore/text`);
    await page.locator('#file').setInputFiles({
      name: 'b.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('bread dough yeast oven'),
    });
    await page.locator('form.text button').click();
    assert.match(await page.locator('main').innerText(), /from the file b\.txt[\s\S]*Bread book/);
    await context.close();
  });
}
