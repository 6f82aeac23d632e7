import { isPhase } from '../../../store/records.ts';
import { formatCount, formatDuration } from '../../terminal/table.ts';
import type { ClusterLevelReport, EvaluationReport, SCurveReport, SimilarityReport } from '../report.ts';
import { barRows, Chart, roundAxis, SERIES, type Series } from './chart.ts';
import { formatShare } from './report-tables.ts';

export interface Figure {
  readonly title: string;
  readonly text: string;
  readonly legend: readonly { readonly series: Series; readonly name: string }[];
  readonly svg: string;
}

const tick = (value: number) => String(Number(value.toFixed(4)));
const percent = (value: number) => `${tick(100 * value)} %`;

/** Every plot of the page, in order. */
export function reportFigures(report: EvaluationReport): Figure[] {
  return [
    similarityFigure(report),
    ...(report.sCurve === null ? [] : [sCurveFigure(report.sCurve)]),
    ...report.clusters.map((level) => clusterFigure(level, report.index.pageCount)),
    stageFigure(report),
  ];
}

function similarityFigure({ similarities }: EvaluationReport): Figure {
  const shown = similarities.filter(({ pageCount }) => pageCount > 0);
  const shares = shown.map(({ counts, pageCount }) => counts.map((count) => count / pageCount));
  const bins = similarities[0]!.counts.length;
  const lastBin = Math.max(0, ...shares.map((own) => own.findLastIndex((share) => share > 0)));
  const title = 'Similarity of the neighbors';
  const most = Math.max(0.01, ...shares.flat());
  const chart = new Chart(
    title,
    roundAxis('similarity', (lastBin + 1) / bins, tick),
    roundAxis('share of the pages', most, percent),
  );
  const nameOf = ({ rank, median, pageCount }: SimilarityReport) =>
    `rank ${rank}: median ${formatShare(median)}, ${formatCount(pageCount)} pages`;
  for (const [i, one] of shown.entries()) {
    chart.outline(shares[i]!.slice(0, lastBin + 1), 1 / bins, SERIES[i]!, nameOf(one));
  }
  return {
    title,
    text: 'The nearest, fifth and tenth neighbor, over the pages that have one.',
    legend: shown.map((one, i) => ({ series: SERIES[i]!, name: nameOf(one) })),
    svg: chart.svg(),
  };
}

function sCurveFigure({ m, k, l, leastAgreement, valuesCompared, theory, measured }: SCurveReport): Figure {
  const title = 'Pairs found, by similarity';
  const chart = new Chart(title, roundAxis('similarity', 1, tick), roundAxis('share found', 1, tick));
  const independent = `theory, ${l} independent choices of ${k} values`;
  const shared = `theory, choices among ${m} values, ${leastAgreement} of ${valuesCompared} agreeing`;
  chart.line(
    theory.map((point) => ({ x: point.similarity, y: point.independent })),
    's1',
    independent,
  );
  chart.line(
    theory.map((point) => ({ x: point.similarity, y: point.shared })),
    's2',
    shared,
  );
  for (const { similarity, found, pairCount } of measured) {
    const error = Math.sqrt((found * (1 - found)) / pairCount);
    const name = `similarity ${formatShare(similarity)}: ${formatShare(found)} of ${formatCount(pairCount)} pairs`;
    chart.point(similarity, found, error, 's3', name);
  }
  return {
    title,
    text: 'Measured on the pairs of sampled pages by their exact similarity; the whisker is one standard error.',
    legend: [
      { series: 's1', name: independent },
      { series: 's2', name: shared },
      { series: 's3', name: 'measured' },
    ],
    svg: chart.svg(),
  };
}

function clusterFigure({ level, clusterCount, sizes }: ClusterLevelReport, pageCount: number): Figure {
  const title = `Cluster sizes, level ${level}`;
  const shares = sizes.map(({ members }) => members / pageCount);
  // At most nine ticks, so that their texts do not overlap.
  const step = Math.ceil(sizes.length / 9);
  const nameOf = (from: number) => (from === 1 ? '1' : `${formatCount(from)}-${formatCount(2 * from - 1)}`);
  const chart = new Chart(
    title,
    {
      title: 'pages in the cluster',
      max: sizes.length,
      ticks: sizes.flatMap(({ from }, i) =>
        i % step === 0 ? [{ at: i + 0.5, text: sizes.length > 5 ? formatCount(from) : nameOf(from) }] : [],
      ),
    },
    roundAxis('share of the pages', Math.max(0.01, ...shares), percent),
  );
  for (const [i, { from, groups, members }] of sizes.entries()) {
    const name = `${nameOf(from)}: ${formatCount(groups)} clusters, ${formatCount(members)} pages`;
    chart.bar(i, i + 1, shares[i]!, 's1', name);
  }
  return { title, text: `${formatCount(clusterCount)} clusters.`, legend: [], svg: chart.svg() };
}

function stageFigure({ stages }: EvaluationReport): Figure {
  const title = 'Time of the build';
  const rows = stages.map(({ name, durationMs }) => ({
    name,
    value: durationMs,
    text: formatDuration(durationMs),
  }));
  const whole = formatDuration(
    stages.reduce((sum, stage) => sum + (isPhase(stage) ? 0 : stage.durationMs), 0),
  );
  return { title, text: `${whole} in all.`, legend: [], svg: barRows(title, rows, 's1') };
}
