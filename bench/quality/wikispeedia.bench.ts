/**
 * Measured   P@10 and P@1 of the neighbors that the index answers with, by a shared full category path; the
 *            share of pages with ten answers; V-measure of tight clusters and of each level of topics, beside that of
 *            clusters of the same sizes whose pages are shuffled. All labelled articles are queries.
 * Corpus     2,295 encyclopedia articles with their links (Wikipedia for Schools, 2007), half of the set, so that
 *            many links lead to pages that were never fetched.
 * Notes      Never-fetched pages have no label: they count as not relevant in P@10. The cosine has the words of
 *            the text alone, the same as the content bags. A page alone in its cluster makes that one homogeneous
 *            for nothing, so the V-measure of tight clusters is hardly above that of shuffled pages.
 */
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type BenchResult, round } from '../bench.ts';
import { dataFile, readTsv } from '../corpora/data.ts';
import { benchLabelled, COSINE } from './labelled-corpus.ts';

export async function run(): Promise<BenchResult> {
  const labels = new Map(
    readTsv('wikispeedia/labels.tsv', ['url', 'categories'])
      .filter((row) => row.categories !== '')
      .map((row) => [canonicalUrl(row.url)!, new Set(row.categories.split('|'))]),
  );
  const { result, judgements, vMeasures } = await benchLabelled({
    path: dataFile('wikispeedia/pages.jsonl.zst'),
    labels,
    queries: [...labels.keys()],
    builds: [
      { profile: 'akin', parts: 'content' },
      { profile: 'akin' },
      { profile: 'akin', kernel: 'bm25' },
      { profile: 'haveliwala2000', parts: 'content' },
      { profile: 'haveliwala2000', parts: 'content,anchor' },
    ],
  });
  const p10 = (method: string) => round(judgements.get(method)!.p10);
  const content = p10('akin --parts content');
  return {
    ...result,
    targets: [
      { figure: 'P@10 by content alone', atLeast: 0.5, reached: content },
      {
        figure: 'P@10 by all parts, above content alone',
        atLeast: content + 0.001,
        reached: p10('akin'),
      },
      { figure: 'P@10 by content alone, the cosine', atLeast: p10(COSINE), reached: content },
      {
        figure: 'V-measure of the finest topics by content alone',
        atLeast: 0.7,
        reached: vMeasures.get('akin --parts content')![1]!,
      },
    ],
  };
}
