/** Pages of four small sites that link to each other, and the forms in which a build may get them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Random } from '../../src/lib/random.ts';
import { httpResponse, warcRecord } from '../sources/archive-bytes.ts';

export interface TestPage {
  readonly url: string;
  readonly html?: string;
  readonly status?: number;
  readonly location?: string;
  readonly links?: readonly string[];
  readonly robots?: string;
  readonly features?: unknown;
  readonly fields?: unknown;
  readonly vectors?: unknown;
  /** Days after the first of January 2026. */
  readonly day?: number;
}

const TOPICS = [
  'rose petal thorn cane pruning graft bloom shrub climber mulch mildew fragrance bud trellis hedge compost',
  'bread dough yeast flour knead crust oven crumb rye wheat gluten loaf starter hydration steam banneton',
  'bicycle wheel spoke chain sprocket pedal saddle brake derailleur hub tyre frame fork cassette bearing crank',
  'harbour mast anchor keel rudder sail hull mooring tide rope deck cabin compass chart lighthouse buoy',
].map((words) => words.split(' '));
const COMMON = 'garden water season summer winter hand tool morning'.split(' ');

/** `pagesPerSite` pages on each of four sites: own topic, some words of all, links on and across, some to nowhere. */
export function villagePages(pagesPerSite: number, seed = 3): TestPage[] {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.below(words.length)]!;
  const pages: TestPage[] = [];
  for (const [topic, words] of TOPICS.entries()) {
    for (let i = 0; i < pagesPerSite; i++) {
      const text = () =>
        Array.from({ length: 25 }, () => (random.below(6) === 0 ? pick(COMMON) : pick(words))).join(' ');
      const other = random.below(TOPICS.length);
      const links = [
        `<a href="/p${random.below(pagesPerSite)}.html">${pick(words)} ${pick(words)}</a>`,
        `<a href="${site(other)}/p${random.below(pagesPerSite)}.html">more about ${pick(TOPICS[other]!)}</a>`,
        `<a href="https://far.example/${pick(words)}">a page about ${pick(words)} elsewhere</a>`,
      ];
      const body = links.map((link) => `<p>${text()} ${link} ${text()}</p>`).join('');
      pages.push({
        url: `${site(topic)}/p${i}.html`,
        html: document(`${pick(words)} ${pick(words)} ${i}`, body),
      });
    }
  }
  return pages;
}

function site(topic: number): string {
  return `https://village${topic}.example`;
}

export function document(title: string, body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** A document whose text is `count` words drawn from the vocabulary `prefix0`, `prefix1` ... as letters. */
export function prose(seed: number, count = 60, topic = 0): string {
  const random = new Random(seed);
  const words = TOPICS[topic % TOPICS.length]!;
  return Array.from({ length: count }, () => words[random.below(words.length)]).join(' ');
}

function dateOf(page: TestPage): string {
  return new Date(Date.UTC(2026, 0, 1 + (page.day ?? 0))).toISOString().replace('.000', '');
}

export function toJsonl(pages: readonly TestPage[]): string {
  const lines = pages.map(({ url, html, status, location, links, robots, features, fields, vectors, day }) =>
    JSON.stringify({
      url,
      html: html ?? '',
      status,
      location,
      links,
      robots,
      features,
      fields,
      vectors,
      fetched_at: dateOf({ url, ...(day && { day }) }),
    }),
  );
  return `${lines.join('\n')}\n`;
}

export function toWarc(pages: readonly TestPage[]): Buffer {
  const records = pages.map((page) => {
    const { url, html, status, location } = page;
    const fields = {
      'Content-Type': 'text/html; charset=utf-8',
      ...(location === undefined ? {} : { Location: location }),
    };
    const response = httpResponse(html ?? '', fields, `${status ?? 200} said`);
    return warcRecord('response', url, response, { 'WARC-Date': dateOf(page) });
  });
  return Buffer.concat([warcRecord('warcinfo', null, 'software: test\r\n'), ...records]);
}

/** One file a page in `folder/host/path.html`: read back with the base URL `https://`. */
export function writeFolder(folder: string, pages: readonly TestPage[]): void {
  for (const { url, html } of pages) {
    const path = join(folder, new URL(url).host, new URL(url).pathname);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, html!);
  }
}

export const gzip = (bytes: string | Uint8Array) => gzipSync(bytes);
