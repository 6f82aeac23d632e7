/** The course that the labelled benches share: build, judge, beside TF-IDF cosine over the same words. */
import { join } from 'node:path';
import { chance } from '../../src/evaluate/relevance.ts';
import { clusterQuality } from '../../src/evaluate/v-measure.ts';
import { announce, type BenchResult, round } from '../bench.ts';
import { type BenchBuild, buildOne } from '../build-one.ts';
import { withFolder } from '../corpora/data.ts';
import { type Judgement, judge, judgementTable, type Labels } from './judge.ts';
import { readIndex } from './read-index.ts';
import { TfIdfCosine } from './tf-idf-cosine.ts';
import { wordsOfPages } from './words-of-pages.ts';

export interface LabelledCorpus {
  readonly path: string;
  readonly labels: Labels;
  readonly queries: readonly string[];
  readonly builds: readonly Required<Pick<BenchBuild, 'profile' | 'bag'>>[];
}

export interface LabelledResult {
  readonly result: BenchResult;
  /** By the name of the method, as in the table. */
  readonly judgements: ReadonlyMap<string, Judgement>;
}

export const COSINE = 'TF-IDF cosine, brute force';

export async function benchLabelled(corpus: LabelledCorpus): Promise<LabelledResult> {
  const { labels, queries } = corpus;
  const judgements = new Map<string, Judgement>();
  const clusterRows: (string | number)[][] = [];
  const facts: Record<string, string | number> = { 'labelled pages': labels.size, queries: queries.length };
  await withFolder(async (folder) => {
    for (const build of corpus.builds) {
      const name = `${build.profile} --bag ${build.bag}`;
      const target = join(folder, 'bench.akin');
      const report = await buildOne({ ...build, input: { path: corpus.path }, target });
      facts[`fetched pages, ${name}`] = report.fetchedPageCount;
      facts[`pages, ${name}`] = report.pageCount;
      facts[`index bytes, ${name}`] = report.indexBytes;
      announce({
        index: name,
        pages: report.pageCount,
        indexBytes: report.indexBytes,
        bodyBytes: report.bodyBytes,
      });
      const index = readIndex(target);
      judgements.set(name, judge(index.answers, labels, queries));
      clusterRows.push([name, ...clusterFigures(index.centers, labels)]);
    }
  });
  const words = await wordsOfPages(corpus.path);
  const cosine = new TfIdfCosine(words);
  judgements.set(COSINE, judge(cosine.answers(queries, 100), labels, queries));
  return {
    judgements,
    result: {
      corpus: { ...facts, chance: round(chance(labels, queries)) },
      tables: [
        judgementTable('Neighbours that share a label with the page', [...judgements]),
        {
          caption: 'Tight clusters (CENTER) against the first label of each page',
          columns: ['index', 'V-measure', 'clusters', 'pages alone'],
          rows: clusterRows,
        },
      ],
    },
  };
}

/** V-measure, number of clusters, share of pages that are alone; of the labelled pages. */
function clusterFigures(centers: ReadonlyMap<string, string>, labels: Labels): number[] {
  const pairs = [...labels].map(([url, own]) => [centers.get(url) ?? url, [...own][0]!] as const);
  const sizes = Map.groupBy(pairs, ([center]) => center);
  const alone = [...sizes.values()].filter((members) => members.length === 1).length;
  return [round(clusterQuality(pairs).vMeasure), sizes.size, round(alone / pairs.length)];
}
