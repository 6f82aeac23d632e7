/** The three labelled collections that options of lists are judged on: articles and manuals with links, posts without. */
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { dataFile, readTsv } from '../corpora/data.ts';
import { cachedJsonl } from '../corpora/jsonl.ts';
import { newsgroupPosts } from '../corpora/newsgroups.ts';
import type { Labels } from './judge.ts';

export interface LabelledPages {
  readonly name: string;
  readonly path: string;
  readonly parts?: string;
  readonly labels: Labels;
}

/** Errors  BenchSkipped where the data is absent. */
export async function threeCorpora(): Promise<LabelledPages[]> {
  const [articles, manuals] = [dataFile('wikispeedia/pages.jsonl.zst'), dataFile('manuals/demo.warc.gz')];
  dataFile('20newsgroups/text-train.tar.zst');
  const posts = await cachedJsonl('newsgroups', newsgroupPosts);
  const ofArticles = readTsv('wikispeedia/labels.tsv', ['url', 'categories']).filter(
    (row) => row.categories !== '',
  );
  const ofManuals = readTsv('manuals/labels.tsv', ['url', 'host', 'section']);
  const ofPosts = readTsv('20newsgroups/labels-train.tsv.zst', ['id']);
  const corpora = [
    {
      name: 'articles',
      path: articles,
      labels: ofArticles.map((row) => [row.url, row.categories.split('|')] as const),
    },
    {
      name: 'manuals',
      path: manuals,
      labels: ofManuals.map((row) => [row.url, [`${row.host} ${row.section}`]] as const),
    },
    {
      ...{ name: 'posts', path: posts, parts: 'content' },
      labels: ofPosts.map(
        ({ id }) => [`http://${id.replace('/', '.example/')}`, [id.split('/')[0]!]] as const,
      ),
    },
  ];
  return corpora.map(({ labels, ...corpus }) => ({
    ...corpus,
    labels: new Map(labels.map(([url, names]) => [canonicalUrl(url)!, new Set<string>(names)])),
  }));
}
