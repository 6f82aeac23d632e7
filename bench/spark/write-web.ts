/**
 * Writes a synthetic web as JSON lines, a file for every 10,000 pages: what the cost sheet of the Spark job is measured on.
 *
 *   node bench/spark/write-web.ts FOLDER PAGES [--words 300] [--links 14]
 *
 * Words are those of test/generated-bags.ts (topics over a Zipf vocabulary) in a random order, a stop word behind every third.
 * A fifth of the pages is on hosts of 5,000, the others on hosts of 40. Half of the links of a page are the menu of its host;
 * of the others one in two leads to a page of the host, and one in eight out of the collection; popular pages get most.
 * Of 100 pages 5 are near copies of another (one word in 50 is another), 2 have its very text, 5 name a canonical URL; for 100
 * pages there are 5 redirects and 2 URLs that are gone. The same words give the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { mix32 } from '../../src/lib/hash.ts';
import { Random } from '../../src/lib/random.ts';
import { createDraw } from '../../test/generated-bags.ts';
import { spelled } from '../corpora/synthetic.ts';

const FILE_PAGES = 10_000;
const SEED = 1;
const SITE_PAGES = 50;
const LARGE_SITE_PAGES = 25_000;
const LARGE_SHARE = 5;
/** Pages before a copy that it may be of. */
const COPY_REACH = 2000;
const STOP_WORDS = ['the', 'of', 'and', 'to', 'in', 'is', 'that', 'for', 'with', 'as'];
const SENTENCE_WORDS = 12;
const PARAGRAPH_WORDS = 60;

interface Web {
  readonly pageCount: number;
  readonly linkCount: number;
  readonly draw: ReturnType<typeof createDraw>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { words: { type: 'string', default: '300' }, links: { type: 'string', default: '14' } },
});
const [folder, pages] = positionals;
if (folder === undefined || pages === undefined) throw new Error('FOLDER PAGES');
const pageCount = Number(pages);
const draw = createDraw({ pageCount, seed: SEED, pageWords: Number(values.words) });
const web: Web = { pageCount, linkCount: Number(values.links), draw };
mkdirSync(folder, { recursive: true });
let bytes = 0;
for (let first = 0, file = 0; first < pageCount; first += FILE_PAGES, file++) {
  const lines: string[] = [];
  for (let page = first; page < Math.min(pageCount, first + FILE_PAGES); page++)
    lines.push(...linesOf(web, page));
  const text = Buffer.from(lines.join(''));
  bytes += text.length;
  writeFileSync(join(folder, `${String(file).padStart(5, '0')}.jsonl.gz`), gzipSync(text, { level: 1 }));
}
process.stdout.write(`${pageCount} pages, ${Math.round(bytes / pageCount)} bytes each\n`);

function linesOf(of: Web, page: number): string[] {
  const random = new Random(mix32(page + SEED));
  const kind = random.below(100);
  const isCopy = kind < 7 && page > COPY_REACH;
  const words = wordsOf(of, isCopy ? page - 1 - random.below(COPY_REACH) : page);
  if (isCopy && kind < 5) {
    for (let i = random.below(50); i < words.length; i += 50) words[i] = spelled(random.below(2000));
  }
  const canonical = random.below(20) === 0 ? `<link rel=canonical href="${urlOf(page)}?canonical">` : '';
  const title = `${words[0]} ${words[1]} ${words[2]} - ${siteOf(page)}`;
  const html = `<!doctype html><html lang=en><head><title>${title}</title>${canonical}</head><body>${menuOf(of, page)}<h1>${words[0]} ${words[1]} ${words[2]}</h1>${bodyOf(of, page, words, random)}</body></html>`;
  const lines = [{ url: urlOf(page), html } as object];
  if (random.below(20) === 0) lines.push({ url: `${urlOf(page)}/old`, status: 301, location: urlOf(page) });
  if (random.below(50) === 0) lines.push({ url: `${urlOf(page)}/gone`, status: 404 });
  return lines.map((line) => `${JSON.stringify(line)}\n`);
}

/** The words of a page in an order of its own. */
function wordsOf({ draw }: Web, page: number): string[] {
  const words: string[] = [];
  const distinct = draw.page(page);
  for (let i = 0; i < distinct; i++) {
    for (let n = 0; n < draw.counts[i]!; n++) words.push(spelled(draw.words[i]!));
  }
  const random = new Random(page);
  for (let i = words.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [words[i], words[j]] = [words[j]!, words[i]!];
  }
  return words;
}

function menuOf({ linkCount, pageCount }: Web, page: number): string {
  const items: string[] = [];
  for (let i = 0; i < linkCount >> 1; i++) {
    const url = urlOf(Math.min(pageCount - 1, ofSite(page, i)));
    items.push(`<li class="menu-item"><a href="${url}">${spelled(mix32(ofSite(page, i)) % 500)}</a></li>`);
  }
  return `<nav><ul>${items.join('')}</ul></nav>`;
}

function bodyOf(of: Web, page: number, words: readonly string[], random: Random): string {
  const linkEvery = Math.max(1, Math.floor(words.length / (of.linkCount - (of.linkCount >> 1))));
  const parts: string[] = ['<p>'];
  for (const [i, word] of words.entries()) {
    if (i > 0 && i % PARAGRAPH_WORDS === 0)
      parts.push(`</p><h2>${word} ${words[i - 1]}</h2><p class="text">`);
    if (i % linkEvery === linkEvery - 1)
      parts.push(`<a href="${linkOf(of, page, random)}">${word} ${words[i >> 1]}</a>`);
    else parts.push(word);
    if (i % 3 === 2) parts.push(STOP_WORDS[mix32(i + words.length) % STOP_WORDS.length]!);
    if (i % SENTENCE_WORDS === SENTENCE_WORDS - 1) parts.push('.');
  }
  return `${parts.join(' ')}</p>`;
}

function linkOf({ pageCount }: Web, page: number, random: Random): string {
  const where = random.below(8);
  if (where < 4) {
    return urlOf(Math.min(pageCount - 1, ofSite(page, random.below(SITE_PAGES - SITE_PAGES / LARGE_SHARE))));
  }
  const popular = (random.below(1 << 20) / (1 << 20)) ** 3;
  if (where === 7) return `http://elsewhere-${Math.floor(popular * pageCount)}.example/`;
  return urlOf(Math.floor(popular * pageCount));
}

function isLarge(page: number): boolean {
  return page % LARGE_SHARE === 0;
}

/** The page at a place of the host that a page is on. */
function ofSite(page: number, place: number): number {
  if (isLarge(page)) return Math.floor(page / LARGE_SITE_PAGES) * LARGE_SITE_PAGES + place * LARGE_SHARE;
  return Math.floor(page / SITE_PAGES) * SITE_PAGES + place + 1 + Math.floor(place / (LARGE_SHARE - 1));
}

function siteOf(page: number): string {
  return isLarge(page)
    ? `large-${Math.floor(page / LARGE_SITE_PAGES)}.example`
    : `site-${Math.floor(page / SITE_PAGES)}.example`;
}

function urlOf(page: number): string {
  return `http://${siteOf(page)}/page/${page}`;
}
