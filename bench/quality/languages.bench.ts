/**
 * Measured   Share of the ten pages listed first for the English original of a page that are listed first for the page itself,
 *            with its words as they are written and as its language has them; and how often the same page stands first.
 * Corpus     The manual of httpd, trunk: the pages that are there in English and in another language.
 * Notes      Each list is of the pages of one language. English lists are made in both ways too, as neither is the truth.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { IndexReader } from '../../src/store/read/reader.ts';
import { type BenchResult, round } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { readTsv, unpacked, withFolder } from '../corpora/data.ts';
import { writeJsonl } from '../corpora/jsonl.ts';
import { tarFiles } from '../corpora/tar.ts';

const VERSION = 'trunk';
const LANGUAGES = ['fr', 'tr', 'es', 'de'];
const WAYS = ['as written', 'by language'] as const;
/** No linguistic content (ISO 639): no stemmer, no function words. */
const NO_LANGUAGE = 'zxx';
const LISTED = 10;
const PARTS = 'content=.8,title=.1,heading=.1';

type Lists = ReadonlyMap<string, readonly string[]>;

export async function run(): Promise<BenchResult> {
  const pairs = readTsv('httpd-docs/translations.tsv', ['url_en', 'url_other', 'lang', 'version']).filter(
    ({ lang, version }) => version === VERSION && LANGUAGES.includes(lang),
  );
  const html = await htmlOf(new Set(pairs.flatMap(({ url_en, url_other }) => [url_en, url_other])));
  const rows: (string | number)[][] = [];
  const corpus: Record<string, number> = {};
  const gains: number[] = [];
  for (const lang of LANGUAGES) {
    const translated = pairs.filter((pair) => pair.lang === lang);
    corpus[`pages, ${lang}`] = translated.length;
    const listsOf = (side: 'url_en' | 'url_other', way: (typeof WAYS)[number]) =>
      listsOfPages(new Map(translated.map((pair) => [pair.url_en, html.get(pair[side])!])), way);
    const english = [await listsOf('url_en', 'as written'), await listsOf('url_en', 'by language')];
    const shares: number[] = [];
    for (const way of WAYS) {
      const lists = await listsOf('url_other', way);
      const judged = english.map((expected) => agreement(lists, expected));
      shares.push(judged[0]!.share + judged[1]!.share);
      rows.push([lang, way, ...judged.flatMap(({ share, first }) => [round(share), round(first)])]);
    }
    gains.push((shares[1]! - shares[0]!) / 2);
  }
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  assert.ok(mean > 0, `stems and function words gain ${mean}`);
  return {
    corpus,
    tables: [
      {
        caption: 'Agreement with the English original',
        columns: [
          ...['language', 'words', 'share of its list, English as written', 'first, as written'],
          ...['share, English by Porter', 'first, by Porter'],
        ],
        rows,
      },
    ],
  };
}

async function htmlOf(urls: ReadonlySet<string>): Promise<Map<string, string>> {
  const rows = readTsv('httpd-docs/pages.tsv', ['url', 'path', 'charset']);
  const wanted = new Map(rows.filter(({ url }) => urls.has(url)).map((row) => [row.path, row]));
  const html = new Map<string, string>();
  for await (const { path, body } of tarFiles(unpacked('httpd-docs/html.tar.zst'))) {
    const row = wanted.get(path);
    if (row !== undefined) html.set(row.url, new TextDecoder(row.charset || 'utf-8').decode(body));
  }
  return html;
}

async function listsOfPages(pages: ReadonlyMap<string, string>, way: (typeof WAYS)[number]): Promise<Lists> {
  return await withFolder(async (folder) => {
    const path = join(folder, 'pages.jsonl');
    const records = Array.from(pages, ([url, html]) => ({
      url,
      html: way === 'by language' ? html : html.replace(/\blang="[a-z-]*"/g, `lang="${NO_LANGUAGE}"`),
    }));
    await writeJsonl(path, records);
    const target = join(folder, 'bench.akin');
    await buildOne({ profile: 'akin', parts: PARTS, input: { path }, target, copies: false });
    const reader = IndexReader.open(target);
    const urls = Array.from(reader.pages(), ({ url }) => url);
    const lists = new Map<string, string[]>();
    for (const { pageId, list } of reader.allNeighbors(reader.relation('topic')!.id)) {
      lists.set(
        urls[pageId]!,
        Array.from(list.ids.subarray(0, LISTED), (id) => urls[id]!),
      );
    }
    reader.close();
    return lists;
  });
}

/** Mean over the pages of the expected lists. */
function agreement(lists: Lists, expected: Lists): { readonly share: number; readonly first: number } {
  let [share, first] = [0, 0];
  for (const [url, wanted] of expected) {
    const found = lists.get(url) ?? [];
    share += wanted.filter((one) => found.includes(one)).length / wanted.length;
    if (found[0] === wanted[0]) first++;
  }
  return { share: share / expected.size, first: first / expected.size };
}
