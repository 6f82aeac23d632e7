import type { Part } from '../features/parts.ts';
import type { SkipReason } from '../sources/record/record.ts';
import type { StageRecord } from '../store/records.ts';
import type { BadFeatures, MarkCounts } from './gather/extract/extract-report.ts';
import type { CopyReport } from './relate/copies.ts';
import type { NeighborReport } from './relate/neighbors.ts';
import type { ClassReport } from './relate/page-classes.ts';
import type { PairReport } from './relate/threshold-pairs.ts';
import type { SweepChange } from './write/write-index.ts';

/** A part of the bags. */
export interface PartReport {
  readonly name: Part;
  /** Of the weight of a page, 0 where no page has it: its share went to the others. */
  readonly share: number;
  /** Pages that have it. */
  readonly pageCount: number;
}

/** What a build found and made: what `akin index`, `akin add` and `akin forget` print. */
export interface BuildReport {
  readonly target: string;
  readonly generation: string;
  /** Names of the new sweeps, and what they brought. */
  readonly sweeps: readonly string[];
  readonly change: SweepChange;
  readonly recordCount: number;
  readonly pageCount: number;
  readonly fetchedPageCount: number;
  readonly aliasCount: number;
  readonly pairCount: number;
  readonly clusterCount: number;
  /** The parts that were asked for, in order. */
  readonly parts: readonly PartReport[];
  /** Groups of own features that no part was asked for: pages that have them. */
  readonly unusedGroups: Readonly<Record<string, number>>;
  /** Pages whose own features could not be used, and the first of them with what was wrong. */
  readonly badFeatures: BadFeatures;
  /** Marks of parts in the pages of new sweeps, and what selectors stand for. */
  readonly marks: MarkCounts;
  /** Records of JSON with a member that is not read, by its name: a misspelled one among them. */
  readonly unknownMembers: Readonly<Record<string, number>>;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Of these, files of folders that are no pages, by extension (`.md`). */
  readonly skippedFiles: Readonly<Partial<Record<string, number>>>;
  readonly bodyBytes: number;
  /** Links of pages that were left out: too many on a page, or too long. */
  readonly droppedLinkCount: number;
  /** Null in a profile that keeps similar pairs instead. */
  readonly neighbors: NeighborReport | null;
  /** Null where CENTER scanned the lists of neighbors. */
  readonly pairs: PairReport | null;
  /** Null where no classes were given. */
  readonly classes: ClassReport | null;
  /** Null where the copy relation was left out. */
  readonly copies: CopyReport | null;
  readonly indexBytes: number;
  readonly peakRssBytes: number;
  readonly durationMs: number;
  readonly stages: readonly StageRecord[];
}
