/** What a build did, in words. */
import type { ClusterQuality } from '../../evaluate/v-measure.ts';
import type { BuildReport } from '../../indexer/build-report.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import type { CopyReport } from '../../indexer/relate/copies.ts';
import type { ClassReport } from '../../indexer/relate/page-classes.ts';
import type { PairReport } from '../../indexer/relate/threshold-pairs.ts';
import { listsText } from '../../relations/lists-text.ts';
import { MAX_VECTOR_NAMES } from '../../relations/meaning.ts';
import { SWEEP_DAYS } from '../../sources/record/answers.ts';
import { skippedFilesText, skippedText } from '../terminal/page-reading.ts';
import { missedRecall, neighborsText, pairsText } from '../terminal/recall-text.ts';
import { formatCount, formatDuration, formatNumberOf, formatSize } from '../terminal/table.ts';
import { printable } from '../terminal/terminal.ts';

/** Of `akin index`: what came out and what was not taken; with `verbose` how it was found, too. */
export function indexText(report: BuildReport, verbose: boolean): string {
  const { copies } = report;
  if (report.pageCount === 0) {
    return `${report.target}: no pages, ${formatSize(report.indexBytes)}\nhand some over: akin serve ${report.target} --writable`;
  }
  return [
    `${report.target}: ${pagesText(report)}${copies === null ? '' : copiesText(copies)}, ${formatSize(report.indexBytes)}`,
    `read ${formatNumberOf(report.recordCount, 'record')}, ${formatSize(report.bodyBytes)}, in ${formatDuration(report.durationMs)}`,
    ...readingLines(report),
    ...(verbose ? searchLines(report) : []),
  ].join('\n');
}

/** `, 7 pages with the text of another, 19 pairs of other copies` */
function copiesText({ equalPageCount: equal, pairCount: pairs }: CopyReport): string {
  const words = equal === 0 ? '' : `, ${formatNumberOf(equal, 'page')} with the text of another`;
  const others = equal === 0 ? 'copies' : 'other copies';
  return pairs === 0 ? words : `${words}, ${formatNumberOf(pairs, 'pair')} of ${others}`;
}

/** Of `akin add`. */
export function additionText(report: BuildReport, verbose: boolean): string {
  const count = formatCount;
  const { unchangedCount, changedCount, newCount, goneCount } = report.change;
  return [
    `${report.target}: ${pagesText(report)} after sweep ${report.sweeps.join(', ')}, ${formatSize(report.indexBytes)}`,
    `read ${formatNumberOf(report.recordCount, 'record')} in ${formatDuration(report.durationMs)}: ` +
      `${formatNumberOf(unchangedCount, 'page')} unchanged, ${count(changedCount)} changed, ${count(newCount)} new, ` +
      `${count(goneCount)} gone`,
    ...readingLines(report),
    ...(verbose ? searchLines(report) : []),
  ].join('\n');
}

/** `75 pages, and 3,584 known by links`, with `, and 74 gone` where there are such. */
export function pagesText({
  fetchedPageCount,
  gonePageCount,
  pageCount,
}: Pick<BuildReport, 'fetchedPageCount' | 'gonePageCount' | 'pageCount'>): string {
  const others = [
    [pageCount - fetchedPageCount, 'known by links'],
    [gonePageCount, 'gone'],
  ] as const;
  const shown = others
    .filter(([count]) => count > 0)
    .map(([count, what]) => `, and ${formatCount(count)} ${what}`);
  return `${formatNumberOf(fetchedPageCount, 'page')}${shown.join('')}`;
}

/** Why no page has a related one, where some might have; null where that is not so. */
export function emptinessText(
  { pairCount, fetchedPageCount }: BuildReport,
  { maxPageShare, minPageCount }: Pick<BuildOptions, 'maxPageShare' | 'minPageCount'>,
): string | null {
  if (pairCount > 0 || fetchedPageCount < 2) return null;
  const few = minPageCount > 1 ? `, nor those on fewer than ${minPageCount} (--min-df)` : '';
  const many =
    maxPageShare < 1
      ? `words on more than ${Math.round(100 * maxPageShare)} % of the pages do not count (--max-df)`
      : 'words on all pages do not count';
  return `no page has a related one: ${many}${few}`;
}

/** Sweeps of which nothing is known to be gone for not being there. */
export function brokenText({ brokenSweeps }: BuildReport): string[] {
  return brokenSweeps.map(
    (name) =>
      `${name} is not taken as whole: pages of it could not be read, so none is gone for not being there`,
  );
}

/** Visits that were made in the course of several sweeps and are given as one. */
export function farApartText({ farApart: { answerCount, moveCount } }: BuildReport): string[] {
  if (answerCount === 0) return [];
  const moved =
    moveCount === 0
      ? ''
      : `: ${formatNumberOf(moveCount, 'page')} ${moveCount === 1 ? 'holds' : 'hold'} over a later redirect`;
  return [
    `${formatNumberOf(answerCount, 'answer')} ${answerCount === 1 ? 'is' : 'are'} more than ${SWEEP_DAYS} days from another one of their URL ` +
      `in the same sweep, which keeps one${moved}; give what each crawl brought as an input of its own, with --sweep-per-input`,
  ];
}

/** By what pages are compared, and what of the input has no effect. */
function readingLines(report: BuildReport): string[] {
  const { droppedLinkCount } = report;
  return [
    partsText(report.parts),
    ...wordlessText(report),
    ...featuresText(report),
    ...marksText(report),
    ...unknownText(report),
    ...(report.classes === null ? [] : classLines(report.classes)),
    ...ownText(report.ownFeatures),
    ...vectorText(report),
    ...listText(report),
    skippedText(report.skipped),
    ...skippedFilesText(report.skippedFiles),
    ...(droppedLinkCount === 0
      ? []
      : [`left out ${formatNumberOf(droppedLinkCount, 'link')}: too many on a page, or too long`]),
  ];
}

/** How pairs, clusters and copies were found, and what it cost. */
function searchLines(report: BuildReport): string[] {
  const seconds = Math.max(report.durationMs, 1) / 1000;
  const processorMs = report.stages.reduce((sum, stage) => sum + stage.processorMs, 0);
  return [
    `${formatNumberOf(report.pairCount, 'pair')}, ${formatNumberOf(report.clusterCount, 'cluster')}`,
    ...(report.neighbors === null ? [] : [`neighbors: ${neighborsText(report.neighbors)}`]),
    ...(report.pairs === null ? [] : [pairsLine(report.pairs)]),
    ...(report.copies === null ? [] : [copySummary(report.copies), phaseText(report.copies)]),
    `${formatCount(report.recordCount / seconds)} records/s, ${formatSize(report.bodyBytes / seconds)}/s, ` +
      `${formatDuration(processorMs)} of processors; ` +
      `${formatCount(report.indexBytes / Math.max(report.pageCount, 1))} bytes a page; ` +
      `peak memory ${formatSize(report.peakRssBytes)}`,
  ];
}

/** `compared by: content 74 %, title 6 %; no page has: anchor` */
function partsText(parts: BuildReport['parts']): string {
  const used = parts.filter(({ pageCount }) => pageCount > 0);
  const empty = parts.filter(({ pageCount }) => pageCount === 0).map(({ name }) => name);
  const shown = used.map(({ name, share }) => `${name} ${Math.round(100 * share) || '<1'} %`);
  return `compared by: ${shown.join(', ')}${empty.length === 0 ? '' : `; no page has: ${empty.join(', ')}`}`;
}

/** More pages without a word than this share are worth a line. */
const WORTH_SAYING = 0.1;

/** Of pages whose text has no word, where their owner does not describe them otherwise: a browser's script may make it. */
function wordlessText({ parts, fetchedPageCount, ownFeatures, vectors }: BuildReport): string[] {
  const content = parts.find(({ name }) => name === 'content');
  if (content === undefined || ownFeatures !== null || vectors !== null) return [];
  const count = fetchedPageCount - content.pageCount;
  if (count <= WORTH_SAYING * fetchedPageCount) return [];
  const pages = `${formatCount(count)} of ${formatNumberOf(fetchedPageCount, 'page')}`;
  return [`no words on ${pages}: digits are none, and text that a script makes in the browser is not read`];
}

/** What became of the classes that were given, and how far topics find those that were held out. */
function classLines({
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

/** What of the own features and fields of pages is not used. */
function featuresText({ unusedGroups, emptyFields, badFeatures, ...report }: BuildReport): string[] {
  const unused = Object.entries(unusedGroups).map(
    ([group, pages]) => `${group} (${formatNumberOf(pages, 'page')})`,
  );
  const leftOut = (what: string, { recordCount, first }: BuildReport['badFields']) =>
    recordCount === 0
      ? []
      : [`left out the ${what} of ${formatNumberOf(recordCount, 'record')}, first ${first}`];
  return [
    ...(unused.length === 0 ? [] : [`features without a share in --parts: ${unused.join(', ')}`]),
    ...leftOut('features', badFeatures),
    ...leftOut('vectors', report.badVectors),
    ...leftOut('fields', report.badFields),
    ...leftOut('dates', report.badDates),
    ...(emptyFields.length === 0 ? [] : [`fields of --fields that no page has: ${emptyFields.join(', ')}`]),
  ];
}

/** Of records of JSON, most first; nothing where all members are read. */
function unknownText({ unknownMembers }: BuildReport): string[] {
  const named = Object.entries(unknownMembers).sort(([, m], [, n]) => n - m);
  if (named.length === 0) return [];
  const shown = named.map(([name, count]) => `${printable(name)} (${formatNumberOf(count, 'record')})`);
  return [`members that are not read: ${shown.join(', ')}`];
}

/** `body mark on 139 of 140 records, parts ignored on 140, weights on 2`: nothing where none has marks. `what`: what a record is. */
export function marksText({ marks }: Pick<BuildReport, 'marks'>, what = 'record'): string[] {
  const counts = [
    ['body mark', marks.bodyRecordCount],
    ['parts ignored', marks.ignoreRecordCount],
    ['weights', marks.weightRecordCount],
  ] as const;
  const shown = counts.filter(([, count]) => count > 0);
  if (shown.length === 0) return [];
  const [first, ...others] = shown.map(([what, count]) => `${what} on ${formatCount(count)}`);
  return [[`${first} of ${formatNumberOf(marks.recordCount, what)}`, ...others].join(', ')];
}

function pairsLine(pairs: PairReport): string {
  const found = `${formatCount(pairs.pairCount)} of similarity ${pairs.similarity} or more`;
  return `pairs: ${found}, pages with equal bags as one: ${pairsText(pairs)}`;
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
  const about = copies.templatePairError > 0 ? 'about ' : '';
  const leftOut = [
    [
      copies.templatePairCount,
      'pair of one host that shares little but a template',
      'pairs of one host that share little but a template',
    ],
    [
      copies.sameSiteRejectedCount,
      'pair of one host with different words',
      'pairs of one host with different words',
    ],
    [copies.translationCount, 'pair in two languages', 'pairs in two languages'],
  ] as const;
  const reasons = leftOut.flatMap(([count, one, many], i) =>
    count === 0 ? [] : [`${i === 0 ? about : ''}${formatNumberOf(count, one, many)}`],
  );
  return (
    `${formatNumberOf(copies.versionCount, 'text')}, ${formatNumberOf(copies.pairCount, 'pair')} of copies ` +
    `(${formatCount(copies.crossSiteCount)} across hosts)` +
    (contained === 0 ? '' : `, ${formatNumberOf(contained, 'pair')} by containment`) +
    (copies.crowdedPageCount === 0
      ? ''
      : `; ${formatNumberOf(copies.crowdedPageCount, 'text')} compared with a part of many copies`) +
    (reasons.length === 0 ? '' : `; left out: ${reasons.join(', ')}`)
  );
}

/** `own features: 8 pages with 6 different sets, 3 pairs of copies` */
function ownText(own: BuildReport['ownFeatures']): string[] {
  if (own === null) return [];
  const { page_count: pages, set_count: sets, pair_count: pairs, crowded_feature_count: crowded } = own;
  const cut =
    crowded === 0 ? '' : `; ${formatNumberOf(crowded, 'feature')} on too many to compare all of them`;
  return [
    `own features: ${formatNumberOf(pages, 'page')} with ${formatNumberOf(sets, 'different set')}, ` +
      `${formatNumberOf(pairs, 'pair')} of copies${cut}`,
  ];
}

/** `vectors minilm: on 8 of 9 pages, 384 numbers each` */
function vectorText({ vectors, blend, fetchedPageCount }: BuildReport): string[] {
  if (vectors === null) return blendText(blend);
  const pages = formatNumberOf(fetchedPageCount, 'page');
  return [
    ...vectors.found.map(
      ({ name, dimensions, page_count: count }) =>
        `vectors ${name}: on ${formatCount(count)} of ${pages}, ${dimensions} numbers each`,
    ),
    ...vectors.leftOut.map(({ name, pageCount, reason }) =>
      reason === 'length'
        ? `left out the vectors ${name} of ${formatNumberOf(pageCount, 'page')}: of another length than most`
        : `left out the vectors ${name} of ${formatNumberOf(pageCount, 'page')}: ${MAX_VECTOR_NAMES} names are the most`,
    ),
    ...blendText(blend),
  ];
}

/** `lists by words and by the vectors minilm: meaning has a share of 0.15` */
function blendText(blend: BuildReport['blend']): string[] {
  if (blend === null) return [];
  const { vectors, share, page_count: count } = blend;
  if (count === 0) {
    const which = vectors === '' ? 'a vector' : `a vector of the name ${vectors}`;
    return [`lists by words alone: --meaning-share is ${share}, but no page has ${which}`];
  }
  return [`lists by words and by the vectors ${vectors}: meaning has a share of ${share}`];
}

/** `lists by BM25, with the whole page as the query`; nothing where they are made in the usual way. */
function listText(report: BuildReport): string[] {
  const text = listsText(report);
  return text === null ? [] : [`lists ${text}`];
}

/** `copies took: equal texts 1.2s, shingles 3.4s, pairs 2.0s, clusters 0.1s` */
function phaseText({ phases }: CopyReport): string {
  const times = phases.map(({ name, durationMs }) => `${name} ${formatDuration(durationMs)}`);
  return `copies took: ${times.join(', ')}`;
}
