import { Command } from 'commander';
import { hasCrawl, readCrawl } from '../../crawl/folder/crawl-folder.ts';
import { storedCopyParameters } from '../../relations/copy.ts';
import { listsText } from '../../relations/lists-text.ts';
import { foundBlend, foundVectors } from '../../relations/meaning.ts';
import { LINK_RELATION_NAMES } from '../../relations/relations.ts';
import { lendShare, TOPIC } from '../../relations/topic.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../../store/database.ts';
import { type IndexCard, isPhase } from '../../store/records.ts';
import { pagesText } from '../build/report-text.ts';
import { crawlSummary, hostTable } from '../terminal/crawl-summary.ts';
import { skippedFilesText } from '../terminal/page-reading.ts';
import { neighborsText, pairsText } from '../terminal/recall-text.ts';
import {
  formatCount,
  formatCounts,
  formatDuration,
  formatNumberOf,
  formatSize,
  left,
  renderTable,
  right,
} from '../terminal/table.ts';
import { print, printable, printReport, type Terminal } from '../terminal/terminal.ts';
import { tellOfWaiting } from '../terminal/waiting-pages.ts';

/** How something was searched, and the recall of that, as the build stores it. */
interface StoredSearch<Recall extends number | null = number> {
  readonly method: string;
  readonly recall: Recall;
  readonly recall_low: Recall;
  readonly recall_high: Recall;
  readonly sample_count: number;
}

interface StoredPairs extends StoredSearch<number | null> {
  readonly similarity: number;
  readonly pair_count: number;
}

/** Parameters that stand among the facts. */
const FACTS = new Set(['neighbors', 'pairs', 'vectors', 'blend']);

type TableSize = { readonly name: string; readonly sizeBytes: number };

/** `akin show FILE`: what an index holds and how it was built, stage times as in Table 1 of the paper. */
export function showCommand(terminal: Terminal): Command {
  return new Command('show')
    .description('print what an index holds, how it was built and where its bytes are; or how a crawl stands')
    .argument('<file>', 'the index, or the folder of a crawl')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  akin show web.akin\n  akin show web.akin --json')
    .action(async (path: string, options: { json?: true }) => {
      const { IndexReader } = await import('../../store/read/reader.ts');
      const { tableSizes } = await import('../../store/table-sizes.ts');
      if (hasCrawl(path)) {
        showCrawl(path, terminal, options);
        return;
      }
      using reader = IndexReader.open(path);
      const card = reader.card();
      const tables = tableSizes(path);
      // An index of other versions was refused.
      const versions = { formatVersion: FORMAT_VERSION, algorithmVersion: ALGORITHM_VERSION };
      if (options.json === true) printReport(terminal, { path, ...versions, ...card, tables });
      else print(terminal, render(path, card, reader.hasLinks(), tables));
      await tellOfWaiting(terminal, [path]);
    });
}

const SHOWN_HOSTS = 20;
const SHOWN_FIELDS = 40;

function showCrawl(folder: string, terminal: Terminal, options: { json?: true }): void {
  const { state, queued, hosts } = readCrawl(folder, SHOWN_HOSTS);
  if (options.json === true) printReport(terminal, { folder, ...state, queued, hosts });
  else print(terminal, `${crawlSummary(folder, { state, ...queued })}\n\n${hostTable(hosts)}`);
}

function render(path: string, card: IndexCard, hasLinks: boolean, tables: readonly TableSize[]): string {
  return [facts(path, card, hasLinks), stageTable(card), parameterTable(card), sizeTable(card, tables)].join(
    '\n\n',
  );
}

function facts(path: string, card: IndexCard, hasLinks: boolean): string {
  const pages = pagesText(card);
  const built = new Date(card.builtAtMs).toISOString();
  const rows: [string, string][] = [
    ['index', `${path}, ${formatSize(card.sizeBytes)}, built ${built} by akin ${card.akinVersion}`],
    ['versions', `format ${FORMAT_VERSION}, algorithms ${ALGORITHM_VERSION}`],
    ['generation', card.generation],
    ['pages', pages.replace(/ pages?/, '')],
    ['aliases', formatCount(card.aliasCount)],
    ['clusters', formatCount(card.clusterCount)],
    ...card.relations.map(({ name, profile, measure, neighborLimit, floor, kernel }): [string, string] => [
      'relation',
      `${name}: profile ${profile}, ${kernel === null ? '' : `kernel ${kernel}, `}${measure}, at most ${neighborLimit} neighbors a page, of similarity ${floor} or more`,
    ]),
    ...(hasLinks ? [['relations', `${LINK_RELATION_NAMES.join(', ')}: from links`] as [string, string]] : []),
    ...searchFacts(card),
    ...copyFacts(card),
    ...vectorFacts(card),
    ...listFacts(card),
    ...fieldFacts(card),
    ...card.sweeps.map(({ name, recordCount, startedAtMs, skipped, skippedFiles }): [string, string] => [
      'sweep',
      `${name}: ${formatNumberOf(recordCount, 'record')}, ${new Date(startedAtMs).toISOString()}${formatCounts(skipped, '; skipped ')}${skippedFilesText(skippedFiles).map((text) => `; ${text}`)}`,
    ]),
  ];
  return rows.map(([name, value]) => `${name.padEnd(11)}${value}`).join('\n');
}

/** Declared fields with their kinds, and others. */
function fieldFacts({ fields }: IndexCard): [string, string][] {
  if (fields.length === 0) return [];
  const named = fields.slice(0, SHOWN_FIELDS).map(({ name, kind, pageCount }) => {
    const declared = kind === null ? '' : kind === 'any' ? ', declared' : `, declared as ${kind}`;
    return `${printable(name)} (${formatNumberOf(pageCount, 'page')}${declared})`;
  });
  const more = fields.length - named.length;
  return [['fields', `${named.join(', ')}${more === 0 ? '' : `, and ${formatCount(more)} more`}`]];
}

/** How neighbors and pairs were searched, and the recall of the search. */
function searchFacts({ parameters }: IndexCard): [string, string][] {
  const neighbors = parameters['neighbors'] as StoredSearch | undefined;
  const pairs = parameters['pairs'] as StoredPairs | undefined;
  const found: [string, string][] = [];
  if (neighbors !== undefined) found.push(['neighbors', neighborsText(measuredOf(neighbors))]);
  if (pairs !== undefined) {
    const { similarity, pair_count: pairCount } = pairs;
    const text = pairsText(measuredOf(pairs));
    found.push([
      'pairs',
      `${formatCount(pairCount)} of similarity ${similarity} or more, pages with equal bags as one: ${text}`,
    ]);
  }
  return found;
}

function measuredOf<Recall extends number | null>(search: StoredSearch<Recall>) {
  const {
    method,
    recall,
    recall_low: recallLow,
    recall_high: recallHigh,
    sample_count: sampleCount,
  } = search;
  return { method, recall, recallLow, recallHigh, sampleCount };
}

/** How copies were found, what was left out, and their clusterings. */
function copyFacts({ parameters, copyClusterings }: IndexCard): [string, string][] {
  const copy = storedCopyParameters(parameters);
  if (copy === undefined) return [];
  const found = (parameters['copy_found'] ?? {}) as Readonly<Record<string, number | string>>;
  const count = (name: string) => formatCount(Number(found[name] ?? 0));
  const countedAfter = found['counted_after_sweep'];
  const asOf = countedAfter === undefined ? '' : `; counts as of sweep ${countedAfter}`;
  const about = Number(found['template_pair_error'] ?? 0) > 0 ? 'about ' : '';
  const ofTemplate =
    found['template_pair_count'] === undefined
      ? ''
      : `; by them alone ${about}${count('template_pair_count')} pairs would be`;
  const templates = copy.template_filter
    ? `pages are alike without the templates of hosts too (${count('template_shingle_count')} shingles, on ${count('template_page_count')} pages${ofTemplate})`
    : 'templates of hosts count like other text';
  const common = copy.ignores_common
    ? `; shingles of more than ${formatCount(copy.max_pages_per_shingle)} pages are ignored`
    : '';
  const sameSiteCheck =
    copy.same_site_agreement > 0
      ? `pairs of one host must agree in ${copy.same_site_agreement} of 384 bits (${count('same_site_rejected_count')} left out)`
      : 'no check of pairs of one host';
  const sample =
    copy.permutations > 0
      ? `the least under each of ${copy.permutations} permutations`
      : `${copy.minimum} kept at least`;
  const shared = copy.permutations > 0 && copy.join === 'shingles' ? 'one' : copy.join;
  return [
    [
      'copies',
      `profile ${copy.profile}; ${copy.shingle_size} words a shingle, ${sample}; candidates share ${shared}; ${templates}${common}; ${sameSiteCheck}${asOf}`,
    ],
    ...copyClusterings.map(({ name, measure, threshold, clusterCount, pageCount }): [string, string] => [
      'clustering',
      `${name}: ${measure} of ${threshold} or more, ${formatNumberOf(pageCount, 'page')} in ${formatNumberOf(clusterCount, 'cluster')}`,
    ]),
  ];
}

/** `minilm: 384 numbers each, on 8 of 9 pages; similarities are good to 0.03; exact` */
function vectorFacts({ parameters, fetchedPageCount }: IndexCard): [string, string][] {
  return foundVectors(parameters).map((found): [string, string] => {
    const { name, dimensions, page_count: count, error_bound: bound } = found;
    return [
      'vectors',
      `${name}: ${dimensions} numbers each, on ${formatCount(count)} of ${formatNumberOf(fetchedPageCount, 'page')}; similarities are good to ${bound}; ${neighborsText(measuredOf(found))}`,
    ];
  });
}

/** `by words, and by the vectors minilm with a share of 0.15 (scale 0.31)`; nothing where lists are made in the usual way. */
function listFacts({ parameters, relations }: IndexCard): [string, string][] {
  const kernel = relations.find(({ name }) => name === TOPIC.name)?.kernel ?? null;
  const text = listsText({ kernel, lend: lendShare(parameters) });
  if (text !== null) return [['lists', text]];
  const blend = foundBlend(parameters);
  if (blend === null) return [];
  const { vectors, share, scale } = blend;
  return [['lists', `by words, and by the vectors ${vectors} with a share of ${share} (scale ${scale})`]];
}

function stageTable({ stages }: IndexCard): string {
  const whole = stages.filter((stage) => !isPhase(stage));
  const wholeMs = whole.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const share = (durationMs: number) => `${((100 * durationMs) / Math.max(wholeMs, 1)).toFixed(1)} %`;
  const processorMs = whole.reduce((sum, stage) => sum + stage.processorMs, 0);
  const rows = stages.map((stage) => [
    stage.name,
    formatCount(stage.recordCount),
    formatDuration(stage.durationMs),
    isPhase(stage) ? '' : share(stage.durationMs),
    formatDuration(stage.processorMs),
  ]);
  const columns = [left('Stage'), right('Records'), right('Time'), right('Share'), right('Processor')];
  const all = ['all', '', formatDuration(wholeMs), share(wholeMs), formatDuration(processorMs)];
  return renderTable(columns, [...rows, all]);
}

function parameterTable({ parameters }: IndexCard): string {
  const others = Object.entries(parameters).filter(([name]) => !FACTS.has(name));
  return renderTable(
    [left('Parameter'), left('Value')],
    others.flatMap(([name, value]) => parameterRows(name, value)),
  );
}

/** One row for each value of a nested parameter: `signature.m`, `signature.k`. */
function parameterRows(name: string, value: unknown): [string, string][] {
  if (value === null) return [[name, '-']];
  if (Array.isArray(value)) return [[name, `${formatCount(value.length)} values`]];
  if (typeof value !== 'object') return [[name, printable(String(value))]];
  return Object.entries(value).flatMap(([part, inner]) => parameterRows(`${name}.${part}`, inner));
}

function sizeTable(card: IndexCard, tables: readonly TableSize[]): string {
  const rows = tables.map(({ name, sizeBytes }) => [
    name,
    formatSize(sizeBytes),
    formatCount(sizeBytes / Math.max(card.pageCount, 1)),
  ]);
  return renderTable([left('Table'), right('Size'), right('Bytes a page')], rows);
}
