import { histogram } from '../../evaluate/histogram.ts';
import { judgeLists } from '../../evaluate/judge-lists.ts';
import {
  filteredBands,
  independentRecall,
  type SharedBands,
  sharedRecall,
} from '../../join/printed/s-curve.ts';
import { TOPIC } from '../../relations/topic.ts';
import type { SignatureShape } from '../../sketch/lsh-signature.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import { findExamples, headlineLength } from './examples.ts';
import { findSeparator, type Judgements } from './judgements.ts';
import { measureClusters } from './measure-clusters.ts';
import { notesOn, verdictOn } from './notes.ts';
import type { EvaluationOptions, EvaluationReport, SCurveReport, SimilarityReport } from './report.ts';
import { measureTruth } from './sampled-truth.ts';

const RANKS = [1, 5, 10] as const;
const SIMILARITY_BINS = 50;
const POINTS = 100;

/** Everything `akin evaluate` reports about one relation of an index. */
export function evaluateIndex(
  reader: IndexReader,
  relation: RelationRecord,
  judgements: Judgements,
  options: EvaluationOptions,
): EvaluationReport {
  const { labels, relevance, facts } = judgements;
  const { at, relevantFrom } = options;
  const { queries } = relevance;
  const { generation, akinVersion, pageCount, fetchedPageCount, parameters, stages } = reader.card();
  const separator =
    options.separator === 'auto' ? labels && findSeparator(labels) : labels && options.separator;
  // Of bags: lists by vectors have none.
  const signature = (
    relation.name === TOPIC.name ? (parameters['signature'] ?? null) : null
  ) as SignatureShape | null;
  const filterValues = parameters['filter_values'] as number | undefined;
  const hasCurve = signature !== null;
  const truth = measureTruth(reader, relation, { ...options, labels, separator, hasCurve });
  const listOf = (page: number) => [...reader.neighbors(relation.id, page).ids];
  const least = relevantFrom ?? Number.MIN_VALUE;
  const examples = findExamples(reader, relation, relevance, { k: headlineLength(at), relevantFrom: least });
  const neighbors = judgeLists(listOf, relevance, queries, { at, relevantFrom: least });
  const report = {
    index: { path: reader.path, generation, akinVersion, pageCount, fetchedPageCount, relation },
    judgements: facts,
    queryCount: queries.length,
    hopelessCount: queries.filter((query) => (relevance.best(query, 1)[0] ?? 0) < least).length,
    neighbors,
    verdict: verdictOn(neighbors.find(({ k }) => k === examples.k)!, facts),
    examples,
    recall: truth.recall,
    gamma: truth.gamma,
    clusters: measureClusters(reader, relation.id, labels, separator),
    similarities: measureSimilarities(reader, relation.id),
    sCurve: signature && sCurve(filteredBands(signature, relation.floor, filterValues), truth.measuredCurve),
    stages,
  };
  return { ...report, notes: notesOn(report, options) };
}

/** How similar the neighbors at some ranks are, over the pages whose list is that long. */
function measureSimilarities(reader: IndexReader, relationId: number): SimilarityReport[] {
  const values = RANKS.map((): number[] => []);
  for (const { list } of reader.allNeighbors(relationId)) {
    for (const [i, rank] of RANKS.entries()) {
      if (list.ids.length >= rank) values[i]!.push(list.shared[rank - 1]! / list.total[rank - 1]!);
    }
  }
  return RANKS.map((rank, i) => {
    const { counts, median, size } = histogram(values[i]!, SIMILARITY_BINS);
    return { rank, pageCount: size, median, counts };
  });
}

/** The theory of the setting that an index was built with, and what was measured. */
function sCurve(bands: SharedBands, measured: SCurveReport['measured']): SCurveReport {
  const { k, l } = bands;
  const theory = Array.from({ length: POINTS + 1 }, (_, i) => {
    const similarity = i / POINTS;
    return {
      similarity,
      independent: independentRecall(similarity, k, l),
      shared: sharedRecall(similarity, bands),
    };
  });
  return { ...bands, theory, measured };
}
