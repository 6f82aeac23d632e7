import type { IndexReader } from '../../read/reader.ts';
import type { RelationRecord } from '../../records.ts';

/** A relation that is tried. */
export interface Checked {
  readonly reader: IndexReader;
  readonly relation: RelationRecord;
  /** What is found wrong. */
  readonly faults: string[];
}
