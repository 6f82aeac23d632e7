import type { BagMatrix } from '../../features/bag.ts';
import { EntriesInMemory, type EntrySource } from '../../join/bags/entry-source.ts';
import { BLOCK_PAGES } from '../../join/exact/postings.ts';
import type { NeighborTable } from '../../join/pairs/neighbor-table.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { numberIn } from '../../lib/kept.ts';
import { KeyTable, key53 } from '../../lib/keys/key-table.ts';
import type { FieldKind } from '../../page/fields/page-fields.ts';
import { bytesOf } from '../../store/blobs/blobs.ts';
import type { StoredPage } from '../../store/records.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import { siteOf } from '../../url/site.ts';
import { OTHER_ANSWERS } from '../files/records/stage-files.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { Aliases } from '../gather/records/answers/aliases.ts';
import { unpackCard } from '../gather/records/card-record.ts';
import { collapsedLinks, collapsedPages } from '../gather/records/collapsed-pages.ts';
import type { CollapsedFacts, CollapsedLinks } from '../gather/records/collapsed-record.ts';
import { pageIds, targetsOf, unique } from '../gather/records/page-ids.ts';
import type { PageFacts } from '../gather/records/page-record.ts';
import { postingRows } from './posting-rows.ts';
import { ShownTitles, TitleCounter } from './shown-titles.ts';
import { InputWriter } from './write-inputs.ts';

const NO_TARGETS = new Uint32Array(0);
/** A page of another shard. */
const NAMED_ONLY = { sweepId: null, wordCount: 0, inLinkCount: 0, outLinkCount: 0 };

/** What the captures of new sweeps brought, compared with what the index had before. */
export interface SweepChange {
  /** Pages with the text that they had before, with another one, and those that had none. */
  readonly unchangedCount: number;
  readonly changedCount: number;
  readonly newCount: number;
  /** Pages that are gone now, or lead elsewhere. */
  readonly goneCount: number;
}

/** What the whole index knows of a page of a shard. */
export interface WholePage extends Pick<StoredPage, 'inLinkCount' | 'outLinkCount'> {
  readonly wholeId: number;
  /** Of another shard, a page is only named. */
  readonly isOwn: boolean;
  /** To show: without what all titles of its host share. */
  readonly title: string;
  /** The sweep that found it gone, or leading elsewhere; 0 where it is there. */
  readonly lostSweepId: number;
  /** Whole ids, ascending, of the pages that it links to, itself left out. */
  readonly targets: Uint32Array;
  /** Of a page of another shard; those of an own page stand in its record. */
  readonly lang: string | null;
  readonly fetched: boolean;
}

/** Says the version of each capture, and writes it when its first one comes by. */
export interface Versions {
  /** Of the capture that speaks for a page. Pages come in id order, each followed by its past captures. */
  ofPage(pageId: number, page: PageFacts): number;
  /** Of the next past capture. */
  ofPast(capture: PageFacts): number;
}

/** What is made of pages beside their rows. */
interface PageExtras {
  /** Null in an index without copies. */
  readonly versions: Versions | null;
  /** Whether what titles of a host share is left out where they are shown. */
  readonly cutsTitles: boolean;
  /** Fields by whose values pages are found, and what these are. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Of a shard, in the order of its pages; null where the pages of the folder are all there are. */
  readonly wholePages?: Iterator<WholePage> | null;
}

/** Writes pages, captures with their versions, sites, links and aliases. */
export function writePages(
  writer: IndexWriter,
  folder: WorkFiles,
  aliases: Aliases,
  pageCount: number,
  firstNewSweep: number,
  { versions, cutsTitles, fields, wholePages = null }: PageExtras,
  onPages: (done: number) => void,
): SweepChange {
  const ids = pageIds(folder, aliases, pageCount);
  const inputs = new InputWriter(writer, folder, aliases, ids);
  const { inLinks, lostSince } = firstPass(folder, ids, pageCount, cutsTitles && wholePages === null, inputs);
  const shown = new ShownTitles(folder);
  writer.beginFields(fields);
  const siteIds = new Map<string, number>();
  const change = { unchangedCount: 0, changedCount: 0, newCount: 0, goneCount: 0 };
  let id = 0;
  const writePage = (facts: CollapsedFacts) => {
    const { url, title, page, past } = facts;
    const site = siteOf(url);
    const isNew = !siteIds.has(site);
    const siteId = numberIn(siteIds, site);
    if (isNew) writer.site(siteId, site);
    const whole = wholePages === null ? null : (wholePages.next().value as WholePage);
    if (whole !== null) writer.shardPage(id, whole.wholeId);
    if (whole?.isOwn === false) {
      writer.page({ ...NAMED_ONLY, id, url, siteId, title, lang: whole.lang, fetched: whole.fetched });
      return;
    }
    const targets = whole?.targets ?? (page === null ? NO_TARGETS : targetsOf(page.links, ids, id));
    const last = page ?? lastOf(past);
    const shownTitle = whole?.title ?? (last === null ? title : shown.of(url, title));
    writer.page({
      id,
      url,
      siteId,
      title: shownTitle,
      fullTitle: shownTitle === title ? null : title,
      lang: last?.lang || null,
      fetched: last !== null,
      sweepId: last?.sweepId ?? null,
      wordCount: last?.wordCount ?? 0,
      inLinkCount: whole?.inLinkCount ?? inLinks[id]!,
      outLinkCount:
        whole?.outLinkCount ?? (page === null ? 0 : targets.length + countOutside(page.links, ids)),
    });
    if (page !== null && page.card.length > 0) writer.pageCard(id, unpackCard(page.card));
    if (page !== null && page.fields !== '') writer.pageFields(id, page.fields);
    const captures = page === null ? [] : [{ capture: page, versionId: versions?.ofPage(id, page) ?? null }];
    for (const capture of past) {
      captures.push({ capture, versionId: versions?.ofPast(capture) ?? null });
      if (capture.canonical !== '') writer.namedCapture(id, capture.sweepId, capture.ownUrl || url);
    }
    if (targets.length > 0) writer.links(id, targets);
    captures.sort((a, b) => a.capture.sweepId - b.capture.sweepId);
    for (const { capture, versionId } of captures) writer.capture({ ...capture, pageId: id, versionId });
    if (page === null && last !== null) {
      // A URL that another page named as its canonical one, and names no more, was found by no sweep to be gone: the last that met it.
      const sweepId = whole?.lostSweepId ?? lostSince.get(key53(url), last.sweepId);
      writer.gone(id, sweepId);
      if (sweepId >= firstNewSweep) change.goneCount++;
    }
    if (page !== null && page.sweepId >= firstNewSweep) {
      const before = lastOf(past);
      if (before === null) change.newCount++;
      else if (Buffer.compare(before.textDigest, page.textDigest) === 0) change.unchangedCount++;
      else change.changedCount++;
    }
    inputs.add(id, facts);
  };
  for (const facts of collapsedPages(folder)) {
    writePage(facts);
    if (++id % 4096 === 0) onPages(id);
  }
  inputs.finish();
  writer.endFields();
  for (const [url, to, kind] of aliases.all()) {
    const target = ids.get(key53(to), NONE);
    if (target !== NONE) writer.alias(url, target, kind);
  }
  return change;
}

/** The capture that spoke last: that of the latest time, of equals that of the latest sweep. */
export function lastOf(past: readonly PageFacts[]): PageFacts | null {
  return past.reduce<PageFacts | null>(
    (a, b) => (a === null || b.fetchedAtMs >= a.fetchedAtMs ? b : a),
    null,
  );
}

/** Distinct link targets that do not lie in the index. */
function countOutside(links: Float64Array, ids: KeyTable): number {
  return unique(links.filter((key) => !ids.has(key)).sort());
}

/** In-links of each page, and by the key of a URL that was a page the sweep that found otherwise. Leaves the shown titles and the URLs of links. */
function firstPass(
  folder: WorkFiles,
  ids: KeyTable,
  pageCount: number,
  cutsTitles: boolean,
  inputs: InputWriter,
): { readonly inLinks: Uint32Array; readonly lostSince: KeyTable } {
  const inLinks = new Uint32Array(pageCount);
  const lostSince = new KeyTable();
  for (const { url, sweepId } of OTHER_ANSWERS.records(folder)) lostSince.set(key53(url), sweepId);
  const titles = new TitleCounter(folder);
  let id = 0;
  const take = ({ url, page, folded }: CollapsedLinks) => {
    inputs.note(page === null ? folded : [page, ...folded]);
    if (page !== null && cutsTitles) titles.add(url, page.title);
    if (page !== null) for (const target of targetsOf(page.links, ids, id)) inLinks[target]!++;
    for (const capture of page === null || page.ownUrl === '' ? folded : [page, ...folded]) {
      lostSince.set(key53(capture.ownUrl), capture.sweepId);
    }
    id++;
  };
  for (const page of collapsedLinks(folder)) take(page);
  titles.finish();
  inputs.writeLinkUrls();
  return { inLinks, lostSince };
}

export function writeBags(
  writer: IndexWriter,
  relationId: number,
  matrix: BagMatrix,
  entries: EntrySource = new EntriesInMemory(matrix),
  ownPageCount = matrix.sums.length,
): void {
  const pageCount = matrix.sums.length;
  const writeBag = (page: number) => {
    const [from, to] = [matrix.offsets[page]!, matrix.offsets[page + 1]!];
    const at = entries.locate(from, to);
    const end = at + to - from;
    writer.bag(relationId, page, entries.features.subarray(at, end), entries.weights.subarray(at, end));
  };
  for (let page = 0; page < ownPageCount; page++) writeBag(page);
  for (let block = 0; block * BLOCK_PAGES < pageCount; block++) {
    const sums = matrix.sums.subarray(block * BLOCK_PAGES, Math.min(pageCount, (block + 1) * BLOCK_PAGES));
    writer.bagSums(relationId, block, bytesOf(sums));
  }
}

export function writePostings(
  writer: IndexWriter,
  relationId: number,
  matrix: BagMatrix,
  budgetBytes: number,
  source?: EntrySource,
): void {
  for (const { feature, block, entries } of postingRows(matrix, budgetBytes, source)) {
    writer.posting(relationId, block, feature, entries);
  }
}

/** Writes tables of the rows of one page after the other. */
export function writeNeighbors(
  writer: IndexWriter,
  relationId: number,
  tables: Iterable<NeighborTable>,
): void {
  let page = 0;
  const writeRow = ({ k, counts, ids, shared, total, nearness }: NeighborTable, row: number) => {
    const from = row * k;
    const to = from + counts[row]!;
    if (from === to) return;
    writer.neighbors(relationId, page, {
      ids: ids.subarray(from, to),
      shared: shared.subarray(from, to),
      total: total.subarray(from, to),
      ...(nearness !== undefined && { nearness: nearness.subarray(from, to) }),
    });
  };
  for (const table of tables)
    for (let row = 0; row < table.counts.length; row++, page++) writeRow(table, row);
}

/** Signatures of m minima, 3 bytes each. */
export function writeSignatures(
  writer: IndexWriter,
  relationId: number,
  minima: Uint32Array,
  m: number,
): void {
  const bytes = new Uint8Array(3 * m);
  for (let page = 0; page * m < minima.length; page++) {
    for (let i = 0; i < m; i++) {
      const value = minima[page * m + i]!;
      bytes[3 * i] = value & 0xff;
      bytes[3 * i + 1] = (value >>> 8) & 0xff;
      bytes[3 * i + 2] = value >>> 16;
    }
    writer.signature(relationId, page, bytes);
  }
}
