import { statSync } from 'node:fs';
import { optionFault } from '../../../errors.ts';
import {
  countedParts,
  formatParts,
  madeOf,
  PARTS,
  type Part,
  type PartShares,
  usedShares,
} from '../../../features/parts.ts';
import { summed } from '../../../lib/summed.ts';
import { type CopyParameters, sketchOptionsOf, storedCopyParameters } from '../../../relations/copy.ts';
import { isIndexFile } from '../../../store/database.ts';
import { IndexReader } from '../../../store/read/reader.ts';
import type { SweepRecord } from '../../../store/records.ts';
import { sortedStopWords } from '../../../text/stop-words.ts';
import type { BuildInput, CopyOptions, InputOptions, ReadingOptions } from '../../options/build-options.ts';
import { copyParameters } from '../../options/copy-parameters.ts';
import type { SweepReport } from './extract-report.ts';
import type { ExtractSettings, StoredBatch, StoredIndex } from './extract-task.ts';

/** Pages that go to a thread at once. */
const BATCH_PAGES = 256;

/** What texts are read for. */
type TextOptions = Omit<ReadingOptions, 'maxPageBytes'> & CopyOptions;

/** An index among the inputs. */
export interface OpenedIndex extends StoredIndex {
  readonly reader: IndexReader;
  /** Under their new ids; the shards of one index have the same, and the first of them says them for all. */
  readonly sweeps: readonly SweepReport[];
}

/** Whether an input is an index: it is read before all others. */
export function isIndexInput({ path, format, records }: BuildInput): boolean {
  if (format !== null || path === '-' || records !== undefined) return false;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && isIndexFile(path);
}

/**
 * Opens the indexes among the inputs; the caller closes their readers.
 *
 * Errors  InputError AKIN_ERR_OPTION where an index keeps no texts and an option asks to read them again or to keep them, where
 *         a shard of it is missing, and as `newSweepName`; as `IndexReader.open`.
 */
export function openIndexes(input: InputOptions, options: TextOptions): OpenedIndex[] {
  const { inputs, unlinked } = input;
  const indexes: OpenedIndex[] = [];
  const readers: IndexReader[] = [];
  let sweepOffset = 0;
  try {
    for (const { path } of inputs.filter(isIndexInput)) readers.push(IndexReader.open(path));
    const without = [
      ...new Set(input.without.flatMap((url) => [url, ...readers.flatMap((one) => aliasesOf(one, url))])),
    ];
    for (const shards of Map.groupBy(readers, ({ shard, path }) => shard?.index ?? path).values()) {
      requireAllShards(shards);
      const all = sweepsOf(shards).map((sweep, i) => ({ ...sweep, id: sweepOffset + i + 1 }));
      for (const [i, reader] of shards.entries()) {
        const hasSameSketches = checkTexts(reader, options);
        const sweeps = i === 0 ? all : [];
        indexes.push({ path: reader.path, reader, sweepOffset, hasSameSketches, without, unlinked, sweeps });
      }
      sweepOffset += all.length;
    }
    newSweepName(input, indexes);
    return indexes;
  } catch (error) {
    for (const reader of readers) reader.close();
    throw error;
  }
}

/** Errors  InputError AKIN_ERR_OPTION. */
function requireAllShards([first, ...others]: readonly IndexReader[]): void {
  const { shard, path } = first!;
  if (shard === null || others.length + 1 === shard.count) return;
  throw optionFault(
    `${path} is shard ${shard.number} of ${shard.count} of an index, of which ${others.length + 1} are given`,
    'give all shards of the index, each once',
  );
}

/** Of one index, in one file or in shards, whose counts add up. */
function sweepsOf([first, ...others]: readonly IndexReader[]): readonly SweepRecord[] {
  return others.reduce<readonly SweepRecord[]>((sweeps, shard) => {
    const more = shard.card().sweeps;
    return sweeps.map((sweep, i) => ({
      ...sweep,
      recordCount: sweep.recordCount + more[i]!.recordCount,
      skipped: summed([sweep.skipped, more[i]!.skipped]),
      skippedFiles: summed([sweep.skippedFiles, more[i]!.skippedFiles]),
    }));
  }, first!.card().sweeps);
}

/**
 * Name of the sweep of what is new and has no name of its own: the one asked for, or the next of `sweep-1`, `sweep-2`, ... that
 * is free.
 *
 * Errors  InputError AKIN_ERR_OPTION where an index, or another input, has a sweep of the name of a new one.
 */
export function newSweepName({ inputs, sweepName }: InputOptions, indexes: readonly OpenedIndex[]): string {
  const taken = new Map(indexes.flatMap(({ path, sweeps }) => sweeps.map(({ name }) => [name, path])));
  const added = inputs.filter((input) => !isIndexInput(input));
  for (const [i, { path, sweep }] of added.entries()) {
    if (sweep === undefined || sweep === added[i - 1]?.sweep) continue;
    const hint = 'rename one, or add it alone: akin add INPUT --sweep NAME --to FILE';
    requireFree(sweep, taken, hint, path);
    taken.set(sweep, `the input ${path}`);
  }
  if (sweepName === '') {
    let number = indexes.reduce((sum, { sweeps }) => sum + sweeps.length, 1);
    while (taken.has(`sweep-${number}`)) number++;
    return `sweep-${number}`;
  }
  if (added.some(({ sweep }) => sweep === undefined))
    requireFree(sweepName, taken, 'give another name: --sweep NAME');
  return sweepName;
}

/** @param taken what has a sweep, by the name of that. @param input whose name it is; '' of an option. */
function requireFree(name: string, taken: ReadonlyMap<string, string>, hint: string, input = ''): void {
  const other = taken.get(name);
  if (other === undefined) return;
  const what = `${other} has a sweep ${name} already`;
  throw optionFault(input === '' ? what : `${what}, and ${input} would be another one`, hint);
}

/** What leads to a page goes with it: else it would come back under one of these URLs. */
function aliasesOf(reader: IndexReader, url: string): string[] {
  const page = reader.findPage(url);
  if (page < 0 || reader.page(page).url !== url) return [];
  return reader.aliases(page).map((alias) => alias.url);
}

/** Parts that cannot be made of what an index keeps: it has the headings of pages where it has a part of them. */
function partsNotKept(reader: IndexReader): Part[] {
  const { parameters } = reader.card();
  const counted = countedParts(parameters['parts'] as PartShares);
  const hasTexts = storedCopyParameters(parameters)?.text === true;
  return PARTS.filter((part) => {
    const what = madeOf(part);
    return what !== null && !counted[what] && (what === 'headings' || !hasTexts);
  });
}

/** The parts that can be made of all inputs. */
export function partsToCount({ inputs }: InputOptions): Part[] {
  const missing = inputs.filter(isIndexInput).flatMap(({ path }) => {
    using reader = IndexReader.open(path);
    return partsNotKept(reader);
  });
  return PARTS.filter((part) => !missing.includes(part));
}

/** Returns whether the sketches of the index are those that the options ask for. */
function checkTexts(reader: IndexReader, options: TextOptions): boolean {
  const stored = reader.card().parameters;
  const copy = storedCopyParameters(stored);
  const wanted = options.copies ? copyParameters(options) : null;
  const sketchOf = (parameters: CopyParameters) =>
    JSON.stringify([sketchOptionsOf(parameters), parameters.same_site_agreement > 0]);
  const hasSameSketches = copy !== undefined && wanted !== null && sketchOf(copy) === sketchOf(wanted);
  const missing = partsNotKept(reader).filter((part) => (options.parts[part] ?? 0) > 0);
  if (missing.some((part) => madeOf(part) === 'headings')) {
    const others = usedShares(options.parts, (part) => madeOf(part) === 'headings');
    throw optionFault(
      `${reader.path} keeps no headings, so there is no part of them`,
      `give --parts ${formatParts(others)}, or build the index again from its source`,
    );
  }
  if (copy?.text === true) return hasSameSketches;
  if (copy !== undefined && wanted?.text === true) {
    throw optionFault(
      `${reader.path} keeps no texts, so no index of it can keep them`,
      'give --no-text, or build the index again from its source',
    );
  }
  const stopWords = options.stopWords === null ? null : sortedStopWords(options.stopWords);
  const changed = [
    wanted !== null && !hasSameSketches && 'how copies are found',
    JSON.stringify(stored['stop_words']) !== JSON.stringify(stopWords) && 'the stop words',
    stored['window_words'] !== options.windowWords && 'the words around a link',
    missing.length > 0 && 'the parts',
  ].filter((what) => what !== false);
  if (changed.length === 0) return hasSameSketches;
  throw optionFault(
    `${reader.path} keeps no texts, so ${changed.join(' and ')} cannot be changed`,
    'leave the option as it was, or build the index again from its source',
  );
}

/** Tasks that give the indexes back, pages first; `place` is the share of all of them that is read. */
export function* storedBatches(
  indexes: readonly OpenedIndex[],
): IterableIterator<{ batch: StoredBatch; nextSequence: number; place: number }> {
  let sequence = 0;
  const total = indexes.reduce((sum, { reader }) => sum + reader.pageCount + reader.input.otherCount, 0);
  let done = 0;
  for (const [index, { reader }] of indexes.entries()) {
    const { pageCount, input } = reader;
    for (const [what, count] of [
      ['pages', pageCount],
      ['others', input.otherCount],
    ] as const) {
      for (let from = 0; from < count; from += BATCH_PAGES) {
        const to = Math.min(count, from + BATCH_PAGES);
        const batch = { what, index, from, to, firstSequence: sequence };
        sequence += what === 'pages' ? input.captureCount(from, to) : to - from;
        done += to - from;
        yield { batch, nextSequence: sequence, place: done / total };
      }
    }
  }
}

/** A batch in pieces of one page, or one other answer, and its URL. */
export function* storedPieces(
  { reader }: OpenedIndex,
  batch: StoredBatch,
): IterableIterator<{ task: StoredBatch; url: string }> {
  const { what, from, to, firstSequence } = batch;
  for (let id = from; id < to; id++) {
    const before = what === 'pages' ? reader.input.captureCount(from, id) : id - from;
    const url = what === 'pages' ? reader.page(id).url : [...reader.input.others(id, id + 1)][0]!.url;
    yield { task: { ...batch, from: id, to: id + 1, firstSequence: firstSequence + before }, url };
  }
}

/** URLs of an index that a capture or another answer stands behind. */
export function* answeredUrls({ reader }: OpenedIndex): IterableIterator<string> {
  for (const { url, fetched } of reader.pages()) if (fetched) yield url;
  for (const { url } of reader.input.others(0, reader.input.otherCount)) yield url;
}

/** For the threads: what they open themselves. */
export function storedIndexes(indexes: readonly OpenedIndex[]): ExtractSettings['indexes'] {
  return indexes.map(({ path, sweepOffset, hasSameSketches, without, unlinked }) => ({
    path,
    sweepOffset,
    hasSameSketches,
    without,
    unlinked,
  }));
}
