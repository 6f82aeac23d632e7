/**
 * Measured   P@1 of the page's one partner on another host: how often it is the first answer, in the order of votes.
 * Corpus     1,498 encyclopedia articles cut into two halves of every second sentence, each half on a host of its own,
 *            and the English pages of two releases of one manual; a host has eight of ten pages. Links lead to pages of
 *            the own host, so that partners share none. The pages without a partner are there too.
 * Notes      What relates pages of one host (links, menus) draws a page away from its partner. P@10 is .1 at most: one
 *            page is relevant.
 */
import { createReadStream } from 'node:fs';
import { Random } from '../../src/lib/random.ts';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import type { BenchResult } from '../bench.ts';
import { dataFile, readTsv, unpacked } from '../corpora/data.ts';
import { cachedJsonl, type JsonlRecord, readJsonl } from '../corpora/jsonl.ts';
import { tarFiles } from '../corpora/tar.ts';
import { benchLabelled } from './labelled-corpus.ts';

const WITHOUT_LINKS = 'content=.8,title=.05,anchor=.15';

export async function run(): Promise<BenchResult> {
  dataFile('httpd-docs/html.tar.zst');
  dataFile('wikispeedia/pages.jsonl.zst');
  const tables: BenchResult['tables'][number][] = [];
  const corpus: Record<string, string | number> = {};
  for (const [name, records] of [
    ['articles', articlePartners],
    ['manuals', manualPartners],
  ] as const) {
    const path = await cachedJsonl(`partner-${name}`, records);
    const urls: string[] = [];
    for await (const { url } of readJsonl(createReadStream(path))) urls.push(canonicalUrl(url)!);
    const labels = partnerLabels(urls);
    const { result } = await benchLabelled({
      path,
      labels,
      queries: [...labels.keys()],
      builds: [{ profile: 'akin' }, { profile: 'akin', parts: WITHOUT_LINKS }],
    });
    for (const [fact, value] of Object.entries(result.corpus)) corpus[`${name}, ${fact}`] = value;
    tables.push({ ...result.tables[0]!, caption: `The partner of each page, ${name}` });
  }
  return { corpus, tables };
}

const SEED = 14;
/** Of ten pages, how many a host has: a mirror is seldom whole. */
const KEPT = 8;
const VERSIONS: Readonly<Record<string, string>> = {
  '2.0': 'http://old.example',
  '2.4': 'http://new.example',
};
/** What leads from both hosts to a third, and asks not to be indexed. */
const OWN_RULES = /<(?:link [^>]*rel="canonical"|meta [^>]*name="robots")[^>]*>/gi;
const SENTENCE_END = /(?<=[.!?]["”]?)\s+/;

/**
 * Pages and their partners on another host, in structure alike: the links of a page lead to pages of its own host, the
 * partner's to the partners of these. A page's one right neighbor shares no link with it.
 *
 * English pages of two releases of one manual, ten years apart, each on a host of its own.
 */
async function* manualPartners(): AsyncGenerator<JsonlRecord> {
  const random = new Random(SEED);
  const rows = readTsv('httpd-docs/pages.tsv', ['url', 'path', 'version', 'lang']);
  const wanted = rows.filter(({ version, lang }) => version in VERSIONS && lang === 'en');
  const urlOf = new Map(
    wanted.map(({ path, url, version }) => [path, `${VERSIONS[version]}${pagePath(url)}`]),
  );
  for await (const { path, body } of tarFiles(unpacked('httpd-docs/html.tar.zst'))) {
    const url = urlOf.get(path);
    if (url !== undefined && random.below(10) < KEPT)
      yield { url, html: body.toString('latin1').replace(OWN_RULES, '') };
  }
}

/** Articles cut into two halves of every second sentence, each half on a host of its own. */
async function* articlePartners(): AsyncGenerator<JsonlRecord> {
  const random = new Random(SEED);
  let text = '';
  for await (const chunk of unpacked('wikispeedia/pages.jsonl.zst')) text += chunk;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const { url, html } = JSON.parse(line) as { readonly url: string; readonly html: string };
    const { pathname } = new URL(url);
    for (const [parity, host] of ['one', 'other'].entries()) {
      const half = html
        .split(SENTENCE_END)
        .filter((_, i) => i === 0 || i % 2 === parity)
        .join(' ');
      if (random.below(10) < KEPT) yield { url: `http://${host}.example${pathname}`, html: half };
    }
  }
}

/** Each page with its partner, both ways, where both are there: what they share is their path. */
function partnerLabels(urls: Iterable<string>): Map<string, ReadonlySet<string>> {
  const byPath = Map.groupBy(urls, (url) => new URL(url).pathname);
  const pairs = [...byPath].filter(([, pages]) => pages.length === 2);
  return new Map(pairs.flatMap(([path, pages]) => pages.map((url) => [url, new Set([path])] as const)));
}

/** `/mod/core.html` of `http://httpd.apache.org/docs/2.4/en/mod/core.html`. */
function pagePath(url: string): string {
  return new URL(url).pathname.replace(/^\/docs\/[^/]+(\/en)?\//, '/');
}
