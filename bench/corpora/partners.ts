/**
 * Pages and their partners on another host, in structure alike: the links of a page lead to pages of its own host, the
 * partner's to the partners of these. A page's one right neighbor shares no link with it.
 */
import { Random } from '../../src/lib/random.ts';
import { readTsv, unpacked } from './data.ts';
import type { JsonlRecord } from './jsonl.ts';
import { tarFiles } from './tar.ts';

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

/** English pages of two releases of one manual, ten years apart, each on a host of its own. */
export async function* manualPartners(): AsyncGenerator<JsonlRecord> {
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
export async function* articlePartners(): AsyncGenerator<JsonlRecord> {
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
export function partnerLabels(urls: Iterable<string>): Map<string, ReadonlySet<string>> {
  const byPath = Map.groupBy(urls, (url) => new URL(url).pathname);
  const pairs = [...byPath].filter(([, pages]) => pages.length === 2);
  return new Map(pairs.flatMap(([path, pages]) => pages.map((url) => [url, new Set([path])] as const)));
}

/** `/mod/core.html` of `http://httpd.apache.org/docs/2.4/en/mod/core.html`. */
function pagePath(url: string): string {
  return new URL(url).pathname.replace(/^\/docs\/[^/]+(\/en)?\//, '/');
}
