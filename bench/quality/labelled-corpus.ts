/** The course that the labelled benches share: build, judge, beside TF-IDF cosine and BM25 over the same words. */
import { join } from 'node:path';
import { shuffled } from '../../src/cluster/move-nodes.ts';
import { chance } from '../../src/evaluate/relevance.ts';
import { clusterQuality } from '../../src/evaluate/v-measure.ts';
import { indexes } from '../../src/lib/columns/indexes.ts';
import { Random } from '../../src/lib/random.ts';
import { announce, type BenchResult, round } from '../bench.ts';
import { type BenchBuild, buildOne } from '../build-one.ts';
import { withFolder } from '../corpora/data.ts';
import { Bm25 } from './bm25.ts';
import { type Answers, type Judgement, judge, judgementTable, type Labels, pairedRow } from './judge.ts';
import { readIndex } from './read-index.ts';
import { TfIdfCosine } from './tf-idf-cosine.ts';
import { wordsOfPages } from './words-of-pages.ts';

interface LabelledCorpus {
  readonly path: string;
  readonly labels: Labels;
  readonly queries: readonly string[];
  readonly builds: readonly Pick<BenchBuild, 'profile' | 'parts' | 'kernel'>[];
}

interface LabelledResult {
  readonly result: BenchResult;
  /** By the name of the method, as in the table. */
  readonly judgements: ReadonlyMap<string, Judgement>;
  /** V-measures of the clusters of each index, fine to broad. */
  readonly vMeasures: ReadonlyMap<string, readonly number[]>;
}

export const COSINE = 'TF-IDF cosine, brute force';
const BM25 = 'BM25, brute force';
/** Neighbors of a baseline that are judged. */
const LIST_LENGTH = 100;

export async function benchLabelled(corpus: LabelledCorpus): Promise<LabelledResult> {
  const { labels, queries } = corpus;
  const answers = new Map<string, Answers>();
  const vMeasures = new Map<string, number[]>();
  const clusterRows: (string | number)[][] = [];
  const facts: Record<string, string | number> = { 'labelled pages': labels.size, queries: queries.length };
  await withFolder(async (folder) => {
    for (const build of corpus.builds) {
      const parts = build.parts === undefined ? '' : ` --parts ${build.parts}`;
      const name = `${build.profile}${parts}${build.kernel === undefined ? '' : ` --kernel ${build.kernel}`}`;
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
      answers.set(name, index.answers);
      const levels = index.levels.map((clusterOf) => clusterFigures(clusterOf, labels));
      vMeasures.set(
        name,
        levels.map(({ vMeasure }) => vMeasure),
      );
      for (const [level, figures] of levels.entries()) {
        clusterRows.push([name, levelName(level), ...Object.values(figures)]);
      }
    }
  });
  const words = await wordsOfPages(corpus.path);
  answers.set(COSINE, new TfIdfCosine(words).answers(queries, LIST_LENGTH));
  answers.set(BM25, new Bm25(words).answers(queries, LIST_LENGTH));
  const judgements = new Map([...answers].map(([name, lists]) => [name, judge(lists, labels, queries)]));
  const ours = [...answers.keys()].filter((name) => name.startsWith('akin'));
  return {
    judgements,
    vMeasures,
    result: {
      corpus: { ...facts, chance: round(chance(labels, queries)) },
      tables: [
        judgementTable('Neighbors that share a label with the page', [...judgements]),
        {
          caption: 'Differences from the baselines, query by query: mean and standard error',
          columns: ['method, baseline', 'P@10', 'P@1', 'hit@10'],
          rows: ours.flatMap((name) =>
            [COSINE, BM25].map((baseline) => [
              `${name}, ${baseline}`,
              ...pairedRow(answers.get(name)!, answers.get(baseline)!, labels, queries),
            ]),
          ),
        },
        {
          caption: 'Clusters against the first label of each page',
          columns: [
            'index',
            'level',
            'clusters',
            'pages alone',
            'homogeneity',
            'completeness',
            'V-measure',
            'pages shuffled',
          ],
          rows: clusterRows,
        },
      ],
    },
  };
}

function levelName(level: number): string {
  return level === 0 ? 'tight (CENTER)' : `topics ${level}`;
}

/**
 * Number of clusters, share of pages that are alone, homogeneity, completeness, V-measure, and the V-measure of
 * clusters of the same sizes with the pages dealt out anew; of the labelled pages.
 */
function clusterFigures(clusterOf: ReadonlyMap<string, string>, labels: Labels) {
  const placed = [...labels].filter(([url]) => clusterOf.has(url));
  const clusters = placed.map(([url]) => clusterOf.get(url)!);
  const qualityOf = (order: ArrayLike<number>) =>
    clusterQuality(placed.map(([, own], i) => [clusters[order[i]!]!, [...own][0]!]));
  const { homogeneity, completeness, vMeasure } = qualityOf(indexes(placed.length));
  const sizes = Map.groupBy(clusters, (cluster) => cluster);
  const alone = [...sizes.values()].filter((members) => members.length === 1).length;
  const byChance = qualityOf(shuffled(placed.length, new Random(1)));
  return {
    clusters: sizes.size,
    alone: round(alone / placed.length),
    homogeneity: round(homogeneity),
    completeness: round(completeness),
    vMeasure: round(vMeasure),
    byChance: round(byChance.vMeasure),
  };
}
