import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as driver, type Page } from 'playwright-core';
import { TransientError } from '../../src/errors.ts';
import { lockFile } from '../../src/store/lock.ts';

let opened: Promise<Browser | string> | undefined;

/** The Chromium of this process, or why there is none: another processor, a library that the system lacks. */
export function openChromium(): Promise<Browser | string> {
  opened ??= launch();
  return opened;
}

async function launch(): Promise<Browser | string> {
  try {
    return await driver.launch({ executablePath: await unpack(), timeout: 20_000 });
  } catch (error) {
    return `Chromium does not start here: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** Unpacked by one process at a time: the package takes a file that another is still writing for a whole one. */
async function unpack(): Promise<string> {
  for (;;) {
    try {
      const lock = lockFile(join(tmpdir(), 'akin-chromium.lock'), 'Chromium');
      try {
        return await chromium.executablePath();
      } finally {
        lock.release();
      }
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      await sleep(100);
    }
  }
}

interface Visit {
  readonly page: Page;
  /** What the page asked for, itself first. */
  readonly requests: string[];
  /** Errors and warnings of the console, and what scripts threw. */
  readonly complaints: string[];
}

export interface View {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

export const VIEWS: readonly View[] = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 400 },
  { colorScheme: 'dark', width: 400 },
];

/** Opens an address and waits until it is there. */
export async function visit(browser: Browser, url: string, { colorScheme, width }: View): Promise<Visit> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) complaints.push(message.text());
  });
  // A page of scripts is there when nothing more is loaded; waiting for that takes half a second.
  await page.goto(url, { waitUntil: url.startsWith('http') ? 'networkidle' : 'load' });
  return { page, requests, complaints };
}

/** Pixels that the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Least contrast of any text that is seen against the ground of the page, as WCAG counts it. */
export function leastContrast(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const luminance = (colour) => {
      const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = luminance(getComputedStyle(document.body).backgroundColor);
    const texts = [...document.querySelectorAll('body *')].filter((element) =>
      element.tagName !== 'title' && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''));
    return Math.min(...texts.map((element) => {
      const style = getComputedStyle(element);
      const own = luminance(element instanceof SVGElement ? style.fill : style.color);
      return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
    }));
  })()`);
}
