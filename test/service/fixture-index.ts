/** A small index of three sites about roses, bread and bicycles, built by the real indexer. */
import { rmSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { coverageRecord } from '../../src/crawl/folder/warc-record.ts';
import { buildIndex } from '../../src/indexer/build-index.ts';
import type { BuildListener } from '../../src/indexer/files/stage-runner.ts';
import { type BuildOptions, defaultShape } from '../../src/indexer/options/build-options.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { Random } from '../../src/lib/random.ts';
import { builtOnce } from '../built-once.ts';
import { newFolder } from '../new-folder.ts';
import { httpResponse, warcRecord } from '../sources/archive-bytes.ts';

/** Small, so that filters leave less than the stored list holds. */
export const NEIGHBOR_LIMIT = 8;
export const ROSE_PAGES = 20;

const WORDS = {
  roses:
    'rose petal thorn cane pruning graft rootstock bloom shrub climber mulch aphid mildew fragrance bud hip trellis hedge soil compost'.split(
      ' ',
    ),
  bread:
    'bread dough yeast flour knead sourdough crust oven crumb proof rye wheat gluten loaf bake starter hydration salt banneton steam'.split(
      ' ',
    ),
  bicycles:
    'bicycle wheel spoke chain sprocket pedal saddle brake derailleur hub tyre frame fork gear cassette handlebar rim bearing crank lever'.split(
      ' ',
    ),
};

const quiet: BuildListener = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

export interface FixturePage {
  readonly url: string;
  readonly html: string;
  readonly status?: number;
}

export const GARDEN = 'https://garden.example/roses/';
export const HERBARIUM = 'https://herbarium.example/rosa.html';
export const BAKERY = 'https://bakery.example/bread/';
export const TINY = 'https://garden.example/tiny';
/** A near copy of the first page about bread, on a site of its own. */
export const TWIN = 'https://mirror.example/bread';
export const MOVED = 'https://garden.example/old-roses/';

/** Site garden.example has 20 pages about roses, all nearer to each other than to the one of herbarium.example. */
export function fixturePages(variant = 0): FixturePage[] {
  const random = new Random(7 + variant);
  const pages: FixturePage[] = [];
  const text = (words: readonly string[], count: number) =>
    Array.from({ length: count }, () => words[random.below(words.length)]).join(' ');
  const page = (url: string, title: string, body: string, lang = 'en') =>
    pages.push({ url, html: `<html lang="${lang}"><title>${title}</title><p>${body}</p></html>` });

  for (let i = 0; i < ROSE_PAGES; i++) {
    const next = `<a href="/roses/${(i + 1) % ROSE_PAGES}">next garden page</a>`;
    page(`${GARDEN}${i}`, `Rose garden ${'lesson'} "${i}" &lt;b&gt;`, `${text(WORDS.roses, 120)} ${next}`);
  }
  page(HERBARIUM, 'Rosa \u2014 \u8594\u8587', `${text(WORDS.roses, 40)} ${text(WORDS.bicycles, 60)}`, 'de');
  for (let i = 0; i < 12; i++) page(`${BAKERY}${i}`, `Bread book ${i}`, text(WORDS.bread, 100));
  for (let i = 0; i < 12; i++) {
    page(`https://workshop.example/bike?part=${i}&kind=a`, `Bicycle repair ${i}`, text(WORDS.bicycles, 100));
  }
  page(TINY, '', 'x');
  const loaf = pages.find(({ url }) => url === `${BAKERY}0`)!;
  pages.push({ url: TWIN, html: loaf.html.replace('</p>', ' and a note at the end</p>') });
  return pages;
}

/** Builds the fixture (or `pages`) at `target`; the same pages under the same options are built once a file. */
export async function buildFixture(
  target: string,
  pages = fixturePages(),
  more: Partial<BuildOptions> = {},
): Promise<void> {
  const lines = pages.map(({ url, html }) =>
    JSON.stringify({ url, html, fetched_at: '2026-01-02T03:04:05Z' }),
  );
  lines.push(JSON.stringify({ url: MOVED, status: 301, location: `${GARDEN}0`, html: '' }));
  const input = `${target}.jsonl`;
  writeFileSync(input, `${lines.join('\n')}\n`);
  const options: Omit<BuildOptions, 'target'> = {
    ...defaultShape(),
    inputs: [{ path: input, baseUrl: null, format: 'jsonl' }],
    sweepName: 'test',
    memoryBytes: 256 * 2 ** 20,
    workerCount: 1,
    maxPageBytes: 2 ** 20,
    maxPageShare: 0.6,
    neighborLimit: NEIGHBOR_LIMIT,
    ...more,
  };
  await builtOnce([lines, more], target, (path) => buildIndex({ ...options, target: path }, quiet));
}

/** A folder that is gone after the test. */
export function temporaryFolder(t: TestContext | { after(fn: () => void): void }): string {
  const folder = newFolder('service');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Adds a sweep of pages to a built fixture: a part of their sites, the whole of them, or what a crawl found that left nothing
 * out of their hosts.
 */
export async function addSweep(
  target: string,
  pages: readonly FixturePage[],
  how: 'part' | 'whole' | 'crawl' = 'part',
  sweepName = '',
): Promise<void> {
  const input = `${target}.later.${how === 'crawl' ? 'warc' : 'jsonl'}`;
  writeFileSync(
    input,
    how === 'crawl' ? archiveOf(pages) : pages.map((page) => `${JSON.stringify(page)}\n`).join(''),
  );
  const addition = additionTo({
    target,
    inputs: [{ path: input, baseUrl: null, format: null }],
    sweepName,
    isWhole: how === 'whole',
    memoryBytes: 64 << 20,
    workerCount: 1,
  });
  await buildIndex(addition, { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} });
}

function archiveOf(pages: readonly FixturePage[]): Buffer {
  const hosts = [...new Set(pages.map(({ url }) => new URL(url).hostname))];
  const records = pages.map(({ url, html }) => warcRecord('response', url, httpResponse(html)));
  return Buffer.concat([...records, coverageRecord({ hosts, fileCount: 1, crawl: '' }, '<urn:uuid:1>', 0)]);
}
