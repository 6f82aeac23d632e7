import type { SkipReason } from '../../../sources/record/record.ts';
import type { StoredSweep } from '../../../store/records.ts';
import type { FarApart } from './far-apart.ts';

/** One sweep of the index to be. */
export interface SweepReport extends StoredSweep {
  readonly skipped: Partial<Record<SkipReason | 'forgotten', number>>;
  /** Of these, files of folders that are no pages, by extension. */
  readonly skippedFiles: Readonly<Partial<Record<string, number>>>;
}

/** Of some records, what could not be used, and of which page it was first. */
export interface LeftOut {
  readonly recordCount: number;
  readonly first: string | null;
}

/** Records that were read as pages, and those of them that have marks of a kind. */
export interface MarkCounts {
  readonly recordCount: number;
  readonly bodyRecordCount: number;
  readonly ignoreRecordCount: number;
  readonly weightRecordCount: number;
}

export interface ExtractReport {
  /** Of the sweeps that are new. */
  readonly recordCount: number;
  readonly bodyBytes: number;
  /** Links of pages that were left out: too many on a page, or too long. */
  readonly droppedLinkCount: number;
  /** Whether some page has features of its owner's. */
  readonly hasFeatures: boolean;
  /** Records whose features could not be used, and the first of them with what was wrong. */
  readonly badFeatures: LeftOut;
  /** The same of vectors: a page is left those that could. */
  readonly hasVectors: boolean;
  readonly badVectors: LeftOut;
  /** The same of fields. */
  readonly badFields: LeftOut;
  /** The same of dates of records, by which pages are published or changed. */
  readonly badDates: LeftOut;
  readonly marks: MarkCounts;
  readonly farApart: Readonly<Pick<FarApart, 'answerCount' | 'moveCount'>>;
  /** Records of JSON with a member that is not read, by its name. */
  readonly unknownMembers: Readonly<Record<string, number>>;
  readonly bucketCount: number;
  /** Names of new sweeps that were given as whole, and have pages that could not be read and are not known. */
  readonly brokenSweeps: readonly string[];
  readonly skipped: Partial<Record<SkipReason, number>>;
  /** Of these, files of folders that are no pages, by extension. */
  readonly skippedFiles: Readonly<Partial<Record<string, number>>>;
  /** All, those of the indexes among the input first. */
  readonly sweeps: readonly SweepReport[];
  readonly firstNewSweep: number;
}
