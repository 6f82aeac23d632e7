/**
 * Measured   P@1 of the page's one partner on another host: how often it is the first answer, in the order of votes.
 * Corpus     1,498 encyclopedia articles cut into two halves of every second sentence, each half on a host of its own,
 *            and the English pages of two releases of one manual; a host has eight of ten pages. Links lead to pages of
 *            the own host, so that partners share none. The pages without a partner are there too.
 * Notes      What relates pages of one host (links, menus) draws a page away from its partner. P@10 is .1 at most: one
 *            page is relevant.
 */
import { createReadStream } from 'node:fs';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import type { BenchResult } from '../bench.ts';
import { dataFile } from '../corpora/data.ts';
import { cachedJsonl, readJsonl } from '../corpora/jsonl.ts';
import { articlePartners, manualPartners, partnerLabels } from '../corpora/partners.ts';
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
