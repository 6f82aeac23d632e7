/** The report as text for a terminal; its tables are those of the HTML page too. */
import type { ListQuality } from '../../../evaluate/judge-lists.ts';
import { formatRecall } from '../../terminal/recall-text.ts';
import { type Column, formatCount, renderTable, right } from '../../terminal/table.ts';
import type { EvaluationReport } from '../report.ts';

export interface ReportTable {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** Three digits; a dash where the figure has no meaning. */
export function formatShare(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '-' : value.toFixed(3);
}

export function reportFacts({ index, judgements, ...report }: EvaluationReport): [string, string][] {
  const { relation } = index;
  const { kind, column } = judgements;
  const isLabels = kind === 'labels';
  const facts: [string, string][] = [
    ['index', `${index.path}, generation ${index.generation}, akin ${index.akinVersion}`],
    ['pages', `${formatCount(index.pageCount)} (${formatCount(index.fetchedPageCount)} of them read)`],
    [
      'relation',
      `${relation.name}: profile ${relation.profile}, ${relation.kernel === null ? '' : `kernel ${relation.kernel}, `}${relation.measure}, at most ` +
        `${relation.neighborLimit} neighbors a page, of similarity ${relation.floor} or more`,
    ],
    [
      isLabels ? 'labels' : 'judgements',
      `${judgements.path}${column === null ? '' : `, column ${column}`}: ` +
        `${formatCount(judgements.judgementCount)} ${isLabels ? 'labels' : 'pairs'} of ` +
        `${formatCount(judgements.pageCount)} pages in the index`,
    ],
    [
      'left out',
      `of ${formatCount(judgements.rowCount)} lines, ${formatCount(judgements.missingCount)} with a page that is ` +
        `gone or not in the index${isLabels ? ` and ${formatCount(judgements.blankCount)} without a label` : ''}`,
    ],
  ];
  if (judgements.chance !== null) {
    facts.push(['chance', `${formatShare(judgements.chance)}: P@k of labelled pages drawn at random`]);
  }
  const { recall, gamma } = report;
  if (recall !== null) {
    facts.push([
      `recall@${recall.k}`,
      `${formatRecall(recall.recall)} of the exact neighbors of ${formatCount(recall.sampleCount)} sampled pages ` +
        `(seed ${recall.seed})`,
    ]);
  }
  if (gamma !== null) {
    facts.push([
      'Gamma',
      `${formatShare(gamma.gamma)}, among class and siblings ${formatShare(gamma.siblingGamma)}; ` +
        `${formatCount(gamma.sourceCount)} sampled pages against ${formatCount(gamma.pageCount)}, ` +
        `labels split at "${gamma.separator}", ${(100 * gamma.tiedShare).toFixed(1)} % of the pairs tied`,
    ]);
  }
  return facts;
}

export function neighborTable({ neighbors, judgements, queryCount }: EvaluationReport): ReportTable {
  const judged = judgements.kind === 'labels' ? 'labelled' : 'judged';
  const cells = ({ precision, hit, ndcg }: ListQuality) => [precision, hit, ndcg].map(formatShare);
  return {
    caption: `Neighbors of ${formatCount(queryCount)} ${judged} pages`,
    columns: [
      right('k'),
      right('P@k'),
      right('hit@k'),
      right('nDCG@k'),
      right(`P@k (${judged})`),
      right(`hit@k (${judged})`),
      right(`nDCG@k (${judged})`),
      right('with k neighbors'),
    ],
    rows: neighbors.map((row) => [String(row.k), ...cells(row), ...cells(row.judged), formatShare(row.full)]),
  };
}

export function clusterTable({ clusters }: EvaluationReport): ReportTable {
  const hasLabels = clusters.some(({ quality }) => quality !== null);
  const hasTop = clusters.some(({ topQuality }) => topQuality !== null);
  return {
    caption: 'Clusters, fine to broad',
    columns: [
      right('Level'),
      right('Clusters'),
      right('Largest'),
      right('Pages alone'),
      ...(hasLabels
        ? [right('Labelled alone'), right('V-measure'), right('Homogeneity'), right('Completeness')]
        : []),
      ...(hasTop ? [right('V, top label')] : []),
    ],
    rows: clusters.map((level) => [
      String(level.level),
      formatCount(level.clusterCount),
      formatCount(level.largest),
      formatShare(level.aloneShare),
      ...(hasLabels
        ? [
            formatShare(level.labelledAloneShare),
            formatShare(level.quality?.vMeasure),
            formatShare(level.quality?.homogeneity),
            formatShare(level.quality?.completeness),
          ]
        : []),
      ...(hasTop ? [formatShare(level.topQuality?.vMeasure)] : []),
    ]),
  };
}

function similarityTable({ similarities }: EvaluationReport): ReportTable {
  return {
    caption: 'Similarity of the neighbors',
    columns: [right('Rank'), right('Pages that have it'), right('Median similarity')],
    rows: similarities.map(({ rank, pageCount, median }) => [
      String(rank),
      formatCount(pageCount),
      formatShare(median),
    ]),
  };
}

/** The report for a terminal. */
export function renderText(report: EvaluationReport): string {
  const facts = reportFacts(report)
    .map(([name, value]) => `${name.padEnd(12)}${value}`)
    .join('\n');
  const tables = [neighborTable(report), clusterTable(report), similarityTable(report)]
    .filter(({ rows }) => rows.length > 0)
    .map(({ caption, columns, rows }) => `${caption}\n${renderTable(columns, rows)}`);
  const notes = report.notes.map((note) => `- ${note}`).join('\n');
  return [report.verdict, facts, ...tables, notes].join('\n\n');
}
