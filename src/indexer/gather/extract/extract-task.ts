import { type CountedParts, countedParts } from '../../../features/parts.ts';
import type { FieldKind } from '../../../page/fields/page-fields.ts';
import type { PageMarks } from '../../../page/marks/marks.ts';
import type { Capture, Fault, SkipReason } from '../../../sources/record/record.ts';
import type { BuildTask, CopyOptions, DisplayOptions, ReadingOptions } from '../../options/build-options.ts';
import { type CopySettings, copySettings } from '../records/copy-record.ts';

/** What travels between the reading thread and the extracting ones. */

/** A capture with its place in the build; its body lies in the buffer of the batch. */
export interface ExtractCapture extends Omit<Capture, 'kind' | 'fetchedAtMs' | 'body'> {
  readonly sequence: number;
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  /** Bytes of the body in that buffer. */
  readonly start: number;
  readonly end: number;
}

/** Captures as a source gives them. */
export interface CaptureBatch {
  readonly what: 'captures';
  readonly captures: readonly ExtractCapture[];
  readonly bodies: Uint8Array<ArrayBuffer>;
}

/** Lines of JSON that are not read yet. */
export interface LineBatch {
  readonly what: 'lines';
  /** Of the input. */
  readonly name: string;
  readonly maxPageBytes: number;
  readonly sweepId: number;
  /** Of the first line; the others follow in order, also where a line holds no capture. */
  readonly firstSequence: number;
  /** Of each line: its number in the input, and where it ends in `bytes`, which threads share. */
  readonly numbers: readonly number[];
  readonly ends: readonly number[];
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

/** Captures of the pages from .. to - 1 of an index, or its other answers of these ids. */
export interface StoredBatch {
  readonly what: 'pages' | 'others';
  /** Which of the indexes. */
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Of the first capture or answer; the others follow in order. */
  readonly firstSequence: number;
}

export type ExtractTask = CaptureBatch | LineBatch | StoredBatch;

/** What became of one capture or answer. */
export interface Outcome {
  readonly kind: 'page' | 'past' | 'noindex' | 'redirect' | 'gone' | 'skip';
  readonly url: string;
  readonly sequence: number;
  readonly sweepId: number;
  readonly fetchedAtMs: number;
  /** Of a page: its canonical URL where that is another one; of a redirect: where to. */
  readonly to?: string | null;
  /** Of a page that is a file: other URLs under which servers show it, `/post/index.html` and `/post` of `/post/`. */
  readonly names?: readonly string[];
  /** Of a page. */
  readonly bodyBytes?: number;
  /** Links of a page that were left out: too many, or too long. */
  readonly droppedLinkCount?: number;
  /** Of a page: whether it has features of its owner's, and what was wrong with them, null where nothing was. */
  readonly hasFeatures?: boolean;
  readonly badFeatures?: string | null;
  /** The same of vectors; what was wrong with the first of them that is left out. */
  readonly hasVectors?: boolean;
  readonly badVectors?: string | null;
  /** The same of fields. */
  readonly badFields?: string | null;
  /** What was wrong with the dates that its record gives; null where nothing was. */
  readonly badDates?: string | null;
  /** Of a page that has some. */
  readonly marks?: PageMarks | undefined;
  /** Of a record of JSON: its members that are not read. */
  readonly unknownMembers?: readonly string[] | undefined;
  /** Of a skipped capture. */
  readonly reason?: SkipReason;
  readonly detail?: string;
}

export interface ExtractResult {
  /** Whether they come from an index, so that they were counted before. */
  readonly isStored: boolean;
  /** One a capture or answer; of lines one a line: null for a blank one. */
  readonly outcomes: readonly (Outcome | (Fault & Pick<Outcome, 'sweepId'>) | null)[];
  /** Page, fragment, gone and noindex records. */
  readonly records: PackedRecords;
  /** Stem and form of the words met; none twice in one worker, as a rule. */
  readonly forms: PackedRecords;
  /** URLs that links lead to; none twice in one worker, as a rule. */
  readonly linkUrls: PackedRecords;
}

/** Records one after the other. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of record i: its bucket, and where it ends in `bytes`. */
  readonly buckets: Uint16Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** An index that is an input. */
export interface StoredIndex {
  readonly path: string;
  /** What is added to its sweep ids. */
  readonly sweepOffset: number;
  /** Whether its sketches are those that this build makes. */
  readonly hasSameSketches: boolean;
  /** URLs that are left out, with all links to them. */
  readonly without: readonly string[];
  /** URLs of pages whose links are left out. */
  readonly unlinked: readonly string[];
}

export interface ExtractSettings extends CountedParts {
  readonly bucketCount: number;
  readonly stopWords: string | null;
  readonly windowWords: number;
  /** Selectors of what alone counts of a page, and of what does not; '' for none. */
  readonly body: string;
  readonly ignore: string;
  /** What was declared of fields. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** Null in an index without copies. */
  readonly copies: CopySettings | null;
  /** Whether pages leave their words. */
  readonly keepWords: boolean;
  readonly indexes: readonly StoredIndex[];
}

/** What the options say of how pages are read. */
export function readingSettings(
  options: ReadingOptions & CopyOptions & Pick<DisplayOptions, 'fields'> & Pick<BuildTask, 'listsOnly'>,
): Omit<ExtractSettings, 'bucketCount' | 'indexes'> {
  const { stopWords, windowWords, body, ignore, fields, parts, listsOnly = false } = options;
  const copies = options.copies ? copySettings(options) : null;
  return {
    stopWords,
    windowWords,
    body,
    ignore,
    fields,
    ...countedParts(parts),
    copies,
    keepWords: !listsOnly && copies?.keepText !== true,
  };
}

/** Bucket of a URL or a stem by its `key53`. */
export function bucketOf(key: number, bucketCount: number): number {
  return (key >>> 0) % bucketCount;
}
