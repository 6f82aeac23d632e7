import type { Part } from '../features/parts.ts';
import type { KernelName } from '../relations/kernels.ts';
import type { StageRecord } from '../store/records.ts';
import type { ExtractReport } from './gather/extract/extract-report.ts';
import type { Findings } from './write/fill-index.ts';
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
export interface BuildReport
  extends Pick<
      Findings,
      'neighbors' | 'pairs' | 'pairCount' | 'classes' | 'copies' | 'ownFeatures' | 'vectors' | 'blend'
    >,
    Omit<ExtractReport, 'sweeps' | 'hasFeatures' | 'hasVectors' | 'bucketCount' | 'firstNewSweep'> {
  readonly target: string;
  readonly generation: string;
  /** Names of the new sweeps, and what they brought. */
  readonly sweeps: readonly string[];
  readonly change: SweepChange;
  readonly pageCount: number;
  readonly fetchedPageCount: number;
  /** Not among the pages that `pageCount` counts. */
  readonly gonePageCount: number;
  readonly aliasCount: number;
  readonly clusterCount: number;
  /** How lists by words were made: the kernel, and what neighbors lend. */
  readonly kernel: KernelName;
  readonly lend: number;
  /** The parts that were asked for, in order. */
  readonly parts: readonly PartReport[];
  /** Groups of own features that no part was asked for: pages that have them. */
  readonly unusedGroups: Readonly<Record<string, number>>;
  /** Fields that were declared, and that no page has. */
  readonly emptyFields: readonly string[];
  readonly indexBytes: number;
  readonly peakRssBytes: number;
  readonly durationMs: number;
  /** Whether an earlier run had published it, and was killed before it could say so: nothing was done again. */
  readonly isRepeated: boolean;
  readonly stages: readonly StageRecord[];
}
