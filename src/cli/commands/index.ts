import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { ConfigError, InputError } from '../../errors.ts';
import type { ClusterQuality } from '../../evaluate/v-measure.ts';
import type { BuildReport } from '../../indexer/build-report.ts';
import {
  BUILD_ROWS,
  type BuildOptions,
  type Resources,
  type ShapingOptions,
  shapeOf,
} from '../../indexer/options/build-options.ts';
import { copyConflict } from '../../indexer/options/copy-parameters.ts';
import type { CopyReport } from '../../indexer/relate/copies.ts';
import type { ClassReport } from '../../indexer/relate/page-classes.ts';
import type { PairReport } from '../../indexer/relate/threshold-pairs.ts';
import { readClassTable } from '../evaluate/class-table.ts';
import { type Config, namesOf } from '../settings/config.ts';
import { parseInputs, requireTargetFolder } from '../settings/inputs.ts';
import { settle } from '../settings/options.ts';
import {
  addReadingFlags,
  type ReadingFlags,
  requireFormatUse,
  skippedFilesText,
  skippedText,
  withProgress,
} from '../terminal/page-reading.ts';
import { missedRecall, neighborsText, pairsText } from '../terminal/recall-text.ts';
import { formatCount, formatDuration, formatNumberOf, formatSize } from '../terminal/table.ts';
import { print, printJson, type Terminal, tell } from '../terminal/terminal.ts';

export const INDEX_NAMES = namesOf(BUILD_ROWS);
const TARGET = 'the index to write; it replaces an older one when it is complete';

const HELP = `
INPUT is a WARC or ARC file, a JSONL file ({"url", "html" or "text", ...} on each line), a folder of HTML, an
index, or - for standard input. Compressed files (.gz) are read directly. A folder needs its URL. From an index
all pages and their history are taken, whatever options it was built with.

Examples:
  akin index crawl.warc.gz --to web.akin
  akin index https://example.org/docs/=./site/docs --to docs.akin
  akin index first/ second/ --base https://example.org/ --to both.akin
  zcat pages.jsonl.gz | akin index - --format jsonl --to web.akin --memory 512M --json`;

/** `akin index INPUT... --to FILE`: builds an index and replaces the old one when the new one is complete. */
export function indexCommand(terminal: Terminal): Command {
  const command = new Command('index').description('build an index from pages').addHelpText('after', HELP);
  addReadingFlags(command, TARGET, INDEX_NAMES);
  return command.action(async (paths: string[], flags: ReadingFlags) => {
    requireFormatUse(command, paths);
    const options = buildOptions(paths, flags, settle(command, INDEX_NAMES, terminal));
    requireTargetFolder(options.target, '--to web.akin');
    const report = await build(options, terminal, flags.verbose === true);
    if (flags.json === true) printJson(terminal, report);
    else print(terminal, summary(report));
    for (const warning of missedTargets(report, options.targetRecall)) tell(terminal, `akin: ${warning}`);
  });
}

/** Runs a build with its progress on standard error; Ctrl-C keeps what is complete. */
export async function build(
  options: BuildOptions,
  terminal: Terminal,
  verbose: boolean,
): Promise<BuildReport> {
  const { buildIndex } = await import('../../indexer/build-index.ts');
  const lastWords = ['akin: stopped; completed stages are kept', 'hint: run the same command to continue'];
  return withProgress(terminal, { verbose, lastWords }, (listener) => buildIndex(options, listener));
}

/** The options of a build; those that no setting is given for are, of an index that is changed, as they are `stored`. */
export function buildOptions(
  paths: readonly string[],
  flags: Pick<ReadingFlags, 'to' | 'base' | 'cleanUrls' | 'followLinks' | 'sweepPerInput'>,
  config: Config,
  stored?: ShapingOptions,
): BuildOptions {
  const format = config.format === 'auto' ? null : config.format;
  const options: BuildOptions = {
    ...shapeOf((name, knob) =>
      knob.isFile ? (contentsOf(name, config) ?? stored?.[name] ?? null) : config[name],
    ),
    ...resourcesOf(config),
    inputs: parseInputs(paths, flags.base ?? null, format, flags),
    target: flags.to,
    sweepName: config.sweepName,
    isSweepPerInput: flags.sweepPerInput === true,
    isWhole: false,
    without: [],
  };
  requirePairs(options);
  const conflict = options.copies ? copyConflict(options) : null;
  if (conflict !== null) {
    throw new ConfigError('AKIN_ERR_CONFIG', conflict, {
      hint: 'change --copy-at, --copy-clusterings or --copy-join',
    });
  }
  return options;
}

export function resourcesOf({ memoryBytes, workerCount }: Config): Resources {
  return { memoryBytes, workerCount: workerCount || availableParallelism() };
}

const READERS: Readonly<Partial<Record<keyof ShapingOptions, (path: string) => unknown>>> = {
  stopWords: readStopWords,
  classes: readClassTable,
};

/** What the file of a setting says; undefined where none is given. */
function contentsOf(name: keyof ShapingOptions, config: Config): unknown {
  return config[name] === '' ? undefined : READERS[name]!(String(config[name]));
}

function requirePairs({ pairSimilarity: least, clusterSimilarity }: ShapingOptions): void {
  if (least === null || (least >= 0.1 && least <= clusterSimilarity)) return;
  throw new ConfigError(
    'AKIN_ERR_CONFIG',
    `--pairs is ${least}; it takes a number from 0.1 to cluster-at (${clusterSimilarity}), or 0`,
  );
}

function readStopWords(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `cannot read the stop words in ${path}`, {
      hint: 'give a text file with one word a line',
      cause,
    });
  }
}

function summary(report: BuildReport): string {
  const seconds = Math.max(report.durationMs, 1) / 1000;
  return [
    `${report.target}: ${formatNumberOf(report.pageCount, 'page')} ` +
      `(${formatCount(report.fetchedPageCount)} read, ${formatCount(report.pageCount - report.fetchedPageCount)} known from links), ` +
      `${formatNumberOf(report.pairCount, 'pair')}, ${formatNumberOf(report.clusterCount, 'cluster')}`,
    `read ${formatNumberOf(report.recordCount, 'record')}, ${formatSize(report.bodyBytes)}, in ` +
      `${formatDuration(report.durationMs)}: ${formatCount(report.recordCount / seconds)} records/s, ` +
      `${formatSize(report.bodyBytes / seconds)}/s`,
    partsText(report.parts),
    ...featuresText(report),
    ...(report.neighbors === null ? [] : [`neighbors: ${neighborsText(report.neighbors)}`]),
    ...(report.pairs === null ? [] : [pairsLine(report.pairs)]),
    ...(report.classes === null ? [] : classLines(report.classes)),
    ...(report.copies === null ? [] : [copySummary(report.copies)]),
    `index ${formatSize(report.indexBytes)}, ` +
      `${formatCount(report.indexBytes / Math.max(report.pageCount, 1))} bytes a page; ` +
      `peak memory ${formatSize(report.peakRssBytes)}`,
    skippedText(report.skipped),
    ...skippedFilesText(report.skippedFiles),
    ...(report.droppedLinkCount === 0
      ? []
      : [`left out ${formatNumberOf(report.droppedLinkCount, 'link')}: too many on a page, or too long`]),
  ].join('\n');
}

/** `parts: content .8 (120 pages), title .05 (118 pages); no page has: anchor` */
export function partsText(parts: BuildReport['parts']): string {
  const used = parts.filter(({ pageCount }) => pageCount > 0);
  const empty = parts.filter(({ pageCount }) => pageCount === 0).map(({ name }) => name);
  const told = used.map(
    ({ name, share, pageCount }) => `${name} ${share} (${formatNumberOf(pageCount, 'page')})`,
  );
  return `parts: ${told.join(', ')}${empty.length === 0 ? '' : `; no page has: ${empty.join(', ')}`}`;
}

/** What became of the classes that were given, and how far topics find those that were held out. */
export function classLines({
  pageCount,
  classCount,
  missingCount,
  missing,
  heldOutCount,
  levels,
}: ClassReport): string[] {
  const more = missingCount > missing.length ? ', ...' : '';
  const unknown =
    missingCount === 0
      ? ''
      : `; ${formatNumberOf(missingCount, 'URL')} not among the pages: ${missing.join(', ')}${more}`;
  const figures = ({ vMeasure, homogeneity, completeness }: ClusterQuality) =>
    `${vMeasure.toFixed(3)} (homogeneity ${homogeneity.toFixed(3)}, completeness ${completeness.toFixed(3)})`;
  const placed = `classes: ${formatNumberOf(classCount, 'class', 'classes')} of ${formatNumberOf(pageCount, 'page')}${unknown}`;
  if (heldOutCount === 0) return [placed];
  return [
    placed,
    `topics seeded with half of them, by the classes of the other ${formatNumberOf(heldOutCount, 'page')}:`,
    ...levels.map(
      ({ plain, seeded }, level) =>
        `  level ${level + 1}: V-measure ${figures(seeded)}; without seeds ${figures(plain)}`,
    ),
  ];
}

/** What of the own features of pages is not used. */
export function featuresText({ unusedGroups, badFeatures }: BuildReport): string[] {
  const unused = Object.entries(unusedGroups).map(
    ([group, pages]) => `${group} (${formatNumberOf(pages, 'page')})`,
  );
  const { pageCount, first } = badFeatures;
  return [
    ...(unused.length === 0 ? [] : [`features without a share in --parts: ${unused.join(', ')}`]),
    ...(pageCount === 0
      ? []
      : [`left out the features of ${formatNumberOf(pageCount, 'page')}, first ${first}`]),
  ];
}

function pairsLine(pairs: PairReport): string {
  return `pairs: ${formatCount(pairs.pairCount)} of similarity ${pairs.similarity} or more: ${pairsText(pairs)}`;
}

const KIND_TEXT = {
  short: 'short pages (fewer than 64 features)',
  middle: 'pages of 64 to 255 features',
  long: 'long pages (256 features or more)',
} as const;

/** Warnings of searches that ended below the requested recall. */
export function missedTargets({ neighbors, pairs }: BuildReport, target: number): string[] {
  return [
    neighbors && missedRecall('neighbors', neighbors, target),
    ...(neighbors?.kinds ?? []).map((kind) =>
      missedRecall(`neighbors of ${KIND_TEXT[kind.kind]}`, kind, target),
    ),
    pairs && missedRecall('pairs', pairs, target),
  ].filter((warning) => warning !== null);
}

function copySummary(copies: CopyReport): string {
  const contained = copies.containedPairCount;
  const leftOut = [
    [
      copies.templateRejectedCount,
      'pair that shares little but a template',
      'pairs that share little but a template',
    ],
    [
      copies.sameSiteRejectedCount,
      'pair of one host with different words',
      'pairs of one host with different words',
    ],
    [copies.translationCount, 'pair in two languages', 'pairs in two languages'],
  ] as const;
  const reasons = leftOut.flatMap(([count, one, many]) =>
    count === 0 ? [] : [formatNumberOf(count, one, many)],
  );
  return (
    `${formatNumberOf(copies.versionCount, 'text')}, ${formatNumberOf(copies.pairCount, 'pair')} of copies ` +
    `(${formatCount(copies.crossSiteCount)} across hosts)` +
    (contained === 0 ? '' : `, ${formatNumberOf(contained, 'pair')} by containment`) +
    (copies.crowdedPageCount === 0
      ? ''
      : `; ${formatNumberOf(copies.crowdedPageCount, 'page')} compared with a part of many copies`) +
    (reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`)
  );
}
