/**
 * Writes pages that put as much as can be on one key: what docs/spark.md says of skew is measured on them.
 *
 *   node bench/spark/write-skew.ts FOLDER [--linking 20000] [--links 500] [--copies 200000] [--near 10000] [--short 210000]
 *
 * Pages that link: each has `links` links to the same five URLs, one of them read, with an anchor of two words of their topic
 * each, so that a URL has more than a million texts; half of them have one word in common. Copies: one text of 50 words, with
 * a link to the URL that is read; near copies have another word in it. Short pages have five words that no other page has, so
 * that the words of the copies are in nearly half of all pages, and no more: else they would be left out. A file for every
 * 10,000 pages.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { mix32 } from '../../src/lib/hash.ts';
import { Random } from '../../src/lib/random.ts';
import { spelled } from '../corpora/synthetic.ts';

const FILE_PAGES = 10_000;
const HOT_URLS = 5;
const VOCABULARY = 20_000;
const COPY_WORDS = 50;
const TOPIC_WORDS = 64;
const TOPIC_PAGES = 50;
const SITE_PAGES = 50;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    linking: { type: 'string', default: '20000' },
    links: { type: 'string', default: '500' },
    copies: { type: 'string', default: '200000' },
    near: { type: 'string', default: '10000' },
    short: { type: 'string', default: '210000' },
  },
});
const folder = positionals[0];
if (folder === undefined) throw new Error('FOLDER');
const [linking, copies, near] = [Number(values.linking), Number(values.copies), Number(values.near)];
mkdirSync(folder, { recursive: true });
const pageCount = linking + copies + near + Number(values.short);
for (let first = 0, file = 0; first < pageCount; first += FILE_PAGES, file++) {
  const lines = first === 0 ? [line(hotUrl(0), 'hot', `<p>${textOf(new Random(0), 40).join(' ')}</p>`)] : [];
  for (let page = first; page < Math.min(pageCount, first + FILE_PAGES); page++) lines.push(lineOf(page));
  writeFileSync(
    join(folder, `${String(file).padStart(5, '0')}.jsonl.gz`),
    gzipSync(lines.join(''), { level: 1 }),
  );
}

function lineOf(page: number): string {
  // Mixed, so that no file has all pages of a kind.
  const kind = (mix32(page) / 2 ** 32) * pageCount;
  const url = `http://site-${Math.floor(page / SITE_PAGES)}.example/page/${page}`;
  if (kind < linking) return line(url, `page ${page}`, linkingPage(page));
  if (kind >= linking + near + copies) {
    const own = Array.from({ length: 5 }, (_, i) => spelled(VOCABULARY + 5 * page + i));
    return line(url, `page ${page}`, `<p>${own.join(' ')}</p>`);
  }
  const words = textOf(new Random(1), COPY_WORDS);
  if (kind < linking + near) {
    const random = new Random(page);
    words[random.below(COPY_WORDS)] = spelled(random.below(VOCABULARY));
  }
  return line(url, 'one text', `<p>${words.join(' ')} <a href="${hotUrl(0)}">${words[0]}</a></p>`);
}

function linkingPage(page: number): string {
  const random = new Random(page);
  const topic = random.below(linking / TOPIC_PAGES);
  const ofTopic = () => spelled(mix32(topic * TOPIC_WORDS + random.below(TOPIC_WORDS)) % VOCABULARY);
  const words = Array.from({ length: TOPIC_WORDS }, ofTopic);
  if (page % 2 === 0) words.push('everywhere');
  const links = Array.from({ length: Number(values.links) }, (_, i) => {
    return `<a href="${hotUrl(i % HOT_URLS)}">${ofTopic()} ${ofTopic()}</a>`;
  });
  return `<p>${words.join(' ')}</p><p>${links.join(' ')}</p>`;
}

function textOf(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => spelled(random.below(VOCABULARY)));
}

function hotUrl(number: number): string {
  return `http://hot.example/${number}`;
}

function line(url: string, title: string, body: string): string {
  const html = `<!doctype html><html lang=en><title>${title}</title>${body}`;
  return `${JSON.stringify({ url, html })}\n`;
}
