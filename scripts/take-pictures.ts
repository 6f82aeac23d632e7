/** Takes the pictures of README.md from a running `npm start`: node scripts/take-pictures.ts [ADDRESS] */
import { fileURLToPath } from 'node:url';
import { openChromium } from '../test/browser/chromium.ts';

const POINT = 'http://paperjs.org/reference/classes/Point.html';
const VIEWPORT = { width: 960, height: 600 };
/** Name, path and query of each picture. */
const PICTURES: readonly [name: string, path: string, query: Record<string, string>][] = [
  ['page', '/explore/page', { url: POINT, sites: 'exclude' }],
  ['map', '/explore/map', { url: POINT }],
  ['demo', '/demo', { q: 'dependencies' }],
];

const address = process.argv[2] ?? 'http://127.0.0.1:3000';
const browser = await openChromium();
if (typeof browser === 'string') throw new Error(browser);
const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light' });
for (const [name, path, query] of PICTURES) {
  await page.goto(`${address}${path}?${new URLSearchParams(query)}`, { waitUntil: 'networkidle' });
  const file = fileURLToPath(new URL(`../docs/pictures/${name}.png`, import.meta.url));
  await page.screenshot({ path: file });
}
await browser.close();
