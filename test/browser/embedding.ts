/** Pages of other sites that embed the components, opened in a real browser, and what they look like there. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

interface Opened {
  readonly page: Page;
  /** Method and URL of each request, the page's own first. */
  readonly requests: string[];
  /** What the console says, and what scripts throw. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 800 },
  isMobile: true,
  hasTouch: true,
};

/** Sums up how far things moved, from the first picture on; not what a key or a touch has just caused. */
const WATCH_SHIFTS = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) window.shift += hadRecentInput ? 0 : value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Opens a page in a context of its own, with nothing stored. */
export async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = DESKTOP,
): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  await page.addInitScript(WATCH_SHIFTS);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(url);
  return {
    page,
    requests,
    complaints,
    async close() {
      assert.deepEqual(await context.storageState(), { cookies: [], origins: [] }, 'nothing is stored');
      await context.close();
    },
  };
}

/** Waits for two pictures: what is drawn is then counted as a shift, if it is one. */
export async function stillness(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}

export function shiftOf(page: Page): Promise<number> {
  return page.evaluate('window.shift');
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong, by the rules of WCAG 2.2 AA and its own of good practice. */
export async function violations(page: Page): Promise<string[]> {
  // Through the debugger: a policy of the page keeps script tags out.
  await page.evaluate(`${AXE}; 0`);
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' ')))`);
}
