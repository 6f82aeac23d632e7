/**
 * Measured   HTML to title, text and links, and the tokens alone, beside the tokenizer of htmlparser2 and the tree of
 *            parse5: MB a second of one thread, nanoseconds a byte.
 * Corpus     every tenth page of a university crawl, every fourth of a documentation wiki; decoded before.
 * Notes      processor time, the shortest of five rounds in which all take turns; the tree reads one page in eight.
 *            Asserted: both tokenizers count the same start tags but for what noscript holds, and the title is that
 *            of the tree.
 */
import assert from 'node:assert/strict';
import { Tokenizer } from 'htmlparser2';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { decodeBody } from '../src/page/decode.ts';
import { extractHtml } from '../src/page/extract-html.ts';
import { END, HtmlScanner, START_TAG } from '../src/page/html/html-scanner.ts';
import { announce, type BenchResult, type Cell, round } from './bench.ts';
import { unpacked } from './corpora/data.ts';
import { tarFiles } from './corpora/tar.ts';

const CORPORA = [
  { name: 'uci-crawl', oneIn: 10 },
  { name: 'mdn-archive', oneIn: 4 },
];
const TREE_ONE_IN = 8;
const ROUNDS = 5;
const PAGE_URL = 'http://example.org/a/b.html';

/** Reads all pages and returns how many start tags or characters it met, so that no work can be left out. */
type Reader = (pages: readonly string[]) => number;

const READERS: Record<string, Reader> = {
  'title, text and links': (pages) => sum(pages, (html) => extractHtml(html, PAGE_URL).text.length),
  tokens: (pages) => sum(pages, countStartTags),
  'htmlparser2, tokens': (pages) => sum(pages, countStartTagsOfHtmlparser2),
  'parse5, tree': (pages) => sum(pages, (html) => parse(html, { scriptingEnabled: true }).childNodes.length),
};

export async function run(): Promise<BenchResult> {
  const rows: Cell[][] = [];
  const corpus: Record<string, Cell> = {};
  for (const { name, oneIn } of CORPORA) {
    const pages = await pagesOf(name, oneIn);
    corpus[`${name}, pages`] = pages.length;
    corpus[`${name}, MB`] = round(sum(pages, (html) => html.length) / 1e6, 1);
    announce(corpus);
    check(pages);
    rows.push(...measure(name, pages));
  }
  return {
    corpus,
    tables: [{ caption: 'One thread', columns: ['pages of', 'by', 'MB/s', 'ns a byte'], rows }],
  };
}

async function pagesOf(name: string, oneIn: number): Promise<string[]> {
  const pages: string[] = [];
  let met = 0;
  for await (const { body } of tarFiles(unpacked(`${name}/html.tar.zst`))) {
    if (met++ % oneIn !== 0) continue;
    const decoded = decodeBody(body, null);
    if (decoded !== null) pages.push(decoded.text);
  }
  return pages;
}

function measure(name: string, pages: readonly string[]): Cell[][] {
  const few = pages.filter((_, i) => i % TREE_ONE_IN === 0);
  const read = (by: string) => (by === 'parse5, tree' ? few : pages);
  const shortestUs = new Map<string, number>();
  for (let i = 0; i < ROUNDS; i++) {
    for (const [by, reader] of Object.entries(READERS)) {
      const started = process.cpuUsage();
      assert.ok(reader(read(by)) > 0);
      const spent = process.cpuUsage(started);
      shortestUs.set(by, Math.min(shortestUs.get(by) ?? Infinity, spent.user + spent.system));
    }
  }
  return [...shortestUs].map(([by, us]) => {
    const bytes = sum(read(by), (html) => html.length);
    return [name, by, round(bytes / us, 0), round((us * 1000) / bytes, 2)];
  });
}

function check(pages: readonly string[]): void {
  const own = sum(pages, countStartTags);
  const other = sum(pages, countStartTagsOfHtmlparser2);
  assert.ok(Math.abs(own - other) < other / 100, `${own} start tags, by htmlparser2 ${other}`);
  for (let i = 0; i < pages.length; i += 50) {
    const { title } = extractHtml(pages[i]!, PAGE_URL);
    assert.ok(titleOfTree(pages[i]!).startsWith(title), title);
  }
}

function countStartTags(html: string): number {
  const scanner = new HtmlScanner(html, false);
  let count = 0;
  for (let token = scanner.next(); token !== END; token = scanner.next()) if (token === START_TAG) count++;
  return count;
}

function countStartTagsOfHtmlparser2(html: string): number {
  let count = 0;
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: () => void count++,
      ...{
        ontext: ignore,
        ontextentity: ignore,
        onattribname: ignore,
        onattribdata: ignore,
        onattribentity: ignore,
      },
      ...{
        onattribend: ignore,
        onopentagend: ignore,
        onselfclosingtag: ignore,
        onclosetag: ignore,
        oncdata: ignore,
      },
      ...{ oncomment: ignore, ondeclaration: ignore, onprocessinginstruction: ignore, onend: ignore },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return count;
}

function titleOfTree(html: string): string {
  const nodes: DefaultTreeAdapterTypes.Node[] = [parse(html, { scriptingEnabled: true })];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.nodeName === 'title' && 'namespaceURI' in node && node.namespaceURI.endsWith('xhtml')) {
      const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
      const title = text
        .replace(/[\u00ad\u200b\u2060]/g, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
      if (title !== '') return title;
    }
    if ('childNodes' in node) nodes.push(...node.childNodes.toReversed());
  }
  return '';
}

function sum(pages: readonly string[], of: (html: string) => number): number {
  let total = 0;
  for (const html of pages) total += of(html);
  return total;
}
