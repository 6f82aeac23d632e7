/**
 * Measured   Pages among the first ten of a list that have no word in common with its page, as neighbors lend words (--lend): how many
 *            of them share a label with it, beside two pages by chance; and for the pairs of one setting what the service and the
 *            explorer say of them.
 * Corpus     Short texts, by the part content alone: the first characters of articles, titles of articles, titles of a manual with tags.
 * Notes      Asserted: ten pairs and more of the same label, each explained by words that others lend, named in the explorer. On whole
 *            articles, manuals and posts there are none, see lending: long pages always share a word.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { addExplorer } from '../../src/explorer/explorer.ts';
import { buildApp } from '../../src/service/app.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { readTsv, unpacked, withFolder } from '../corpora/data.ts';
import { readJsonl, writeJsonl } from '../corpora/jsonl.ts';

const FIRST = 10;
const LEAST_PAIRS = 10;
const SHOWN = { name: 'articles, first 100 characters', lend: 0.2 };

interface ShortText {
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly labels: ReadonlySet<string>;
}

interface Pair {
  readonly page: ShortText;
  readonly other: ShortText;
}

export async function run(): Promise<BenchResult> {
  const articles = await openings();
  const cut = (length: number) => articles.map((page) => ({ ...page, text: page.text.slice(0, length) }));
  const corpora = [
    { name: 'articles, first 80 characters', texts: cut(80), lends: [0.2] },
    { name: SHOWN.name, texts: cut(100), lends: [0.1, 0.2, 0.3] },
    { name: 'articles, first 150 characters', texts: cut(150), lends: [0.2, 0.4] },
    {
      name: 'articles, titles',
      texts: articles.map((page) => ({ ...page, text: page.title })),
      lends: [0.2],
    },
    { name: 'a manual, titles', texts: manualTitles(), lends: [0.2] },
  ];
  const rows: (string | number)[][] = [];
  let shown: (string | number)[][] = [];
  for (const { name, texts, lends } of corpora) {
    const chance = round(byChance(texts));
    for (const lend of lends) {
      await withFolder(async (folder) => {
        const target = await built(folder, texts, lend);
        const { listedCount, pairs } = strangers(target, texts);
        const alike = pairs.filter(isAlike);
        const share = pairs.length === 0 ? '' : round(alike.length / pairs.length);
        rows.push([name, lend, listedCount, pairs.length, alike.length, share, chance]);
        if (name === SHOWN.name && lend === SHOWN.lend) shown = await explained(target, alike);
      });
    }
  }
  assert.ok(shown.length >= LEAST_PAIRS, `${shown.length} pairs of the same label`);
  return {
    corpus: Object.fromEntries(corpora.map(({ name, texts }) => [`texts, ${name}`, texts.length])),
    tables: [
      {
        caption: `Labelled pages among the first ${FIRST} that have no word in common with the page`,
        columns: [
          'texts',
          '--lend',
          'listed',
          'of these',
          'of the same label',
          'share',
          'two pages by chance',
        ],
        rows,
      },
      {
        caption: `Those of the same label: ${SHOWN.name}, --lend ${SHOWN.lend}`,
        columns: ['page', 'in its list', 'place', 'words that are lent', 'by way of'],
        rows: shown,
      },
    ],
  };
}

/** Articles by the first paragraph that is a sentence. */
async function openings(): Promise<ShortText[]> {
  const labels = new Map(
    readTsv('wikispeedia/labels.tsv', ['url', 'categories']).map(({ url, categories }) => [
      canonicalUrl(url)!,
      new Set(categories.split('|').filter((one) => one !== '')),
    ]),
  );
  const found: ShortText[] = [];
  const pages = readJsonl<{ url: string; title: string; html: string }>(
    unpacked('wikispeedia/pages.jsonl.zst'),
  );
  for await (const { url, title, html } of pages) {
    const paragraphs = [...html.matchAll(/<p>([\s\S]*?)<\/p>/g)].map((match) =>
      match[1]!
        .replace(/<[^>]*>|&[a-z#0-9]+;/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    );
    const text =
      paragraphs.find((one) => / (is|was|are|were) /.test(one) && !/^This is a/.test(one)) ?? title;
    found.push({ url: canonicalUrl(url)!, title, text, labels: labels.get(canonicalUrl(url)!) ?? new Set() });
  }
  return found;
}

function manualTitles(): ShortText[] {
  return readTsv('mdn-archive/labels.tsv', ['url', 'tags', 'title']).map(({ url, tags, title }) => {
    const labels = new Set(tags.split('|').filter((one) => one !== ''));
    return { url: canonicalUrl(url)!, title, text: title, labels };
  });
}

async function built(folder: string, texts: readonly ShortText[], lend: number): Promise<string> {
  const [path, target] = [join(folder, 'texts.jsonl'), join(folder, 'bench.akin')];
  await writeJsonl(
    path,
    texts.map(({ url, text }) => ({ url, text })),
  );
  await buildOne({ input: { path }, target, lend, parts: 'content', copies: false });
  return target;
}

/** Of labelled pages what is listed first, and of that what shares no feature. */
function strangers(
  target: string,
  texts: readonly ShortText[],
): { readonly listedCount: number; readonly pairs: readonly Pair[] } {
  const byUrl = new Map(texts.filter(({ labels }) => labels.size > 0).map((one) => [one.url, one]));
  const reader = IndexReader.open(target);
  const pages = Array.from(reader.pages(), ({ url }) => byUrl.get(url));
  const { id } = reader.relation('topic')!;
  let listedCount = 0;
  const pairs: Pair[] = [];
  for (const [at, page] of pages.entries()) {
    if (page === undefined) continue;
    const { ids, shared } = reader.neighbors(id, at);
    for (const [i, neighbor] of ids.subarray(0, FIRST).entries()) {
      const other = pages[neighbor];
      if (other === undefined) continue;
      listedCount++;
      if (shared[i] === 0) pairs.push({ page, other });
    }
  }
  reader.close();
  return { listedCount, pairs };
}

const isAlike = ({ page, other }: Pair): boolean => !page.labels.isDisjointFrom(other.labels);

/** How many of all pairs of labelled pages share a label. */
function byChance(texts: readonly ShortText[]): number {
  const labelled = texts.filter(({ labels }) => labels.size > 0);
  let alike = 0;
  for (const [i, page] of labelled.entries())
    for (const other of labelled.slice(i + 1)) if (isAlike({ page, other })) alike++;
  return alike / ((labelled.length * (labelled.length - 1)) / 2);
}

/** What the service says of pairs, and that the explorer shows it. */
async function explained(target: string, pairs: readonly Pair[]): Promise<(string | number)[][]> {
  const app = await buildApp({ indexPath: target, extend: addExplorer });
  const pathOf = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;
  const rows: (string | number)[][] = [];
  try {
    for (const { page, other } of pairs) {
      const query = { url: page.url, limit: String(FIRST), explain: 'true' };
      const { related } = (await app.inject(pathOf('/related', query))).json() as { related: Listed[] };
      const place = related.findIndex(({ url }) => url === other.url);
      const { similarity, why } = related[place]!;
      assert.ok(similarity === 0 && why.terms.length === 0 && why.through!.length > 0, other.url);
      const shown = (await app.inject(pathOf('/explore/page', { url: page.url }))).body;
      const lender = why.through![0]!.urls[0]!;
      const way = [...shown.matchAll(/Near by way of[\s\S]*?<\/p>/g)].map(([text]) => text);
      assert.ok(
        way.some((text) => text.includes(encodeURIComponent(lender))),
        `${page.url}: ${lender}`,
      );
      const names = [...new Set(why.through!.flatMap(({ urls }) => urls))].map(nameOf);
      const words = why.through!.map(({ term }) => term).join(', ');
      rows.push([nameOf(page.url), nameOf(other.url), place + 1, words, names.slice(0, 3).join(', ')]);
    }
  } finally {
    await app.close();
  }
  return rows;
}

interface Listed {
  readonly url: string;
  readonly similarity: number;
  readonly why: {
    readonly terms: readonly object[];
    readonly through?: readonly { readonly term: string; readonly urls: readonly string[] }[];
  };
}

/** An article as its address has it. */
const nameOf = (url: string): string => decodeURIComponent(url.split('/').at(-1)!).replaceAll('_', ' ');
