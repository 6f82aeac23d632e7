import type { Reads } from '../../../reads/reads.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';

/** A list that is asked for: of which index, by what, and behind how many of its first pages. */
export interface ListAsk<Query extends Narrowing = Narrowing> {
  readonly reads: Reads;
  readonly narrowing: Query;
  readonly offset: number;
}
