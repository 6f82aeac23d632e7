import type { OrLater } from '../../../lib/or-later.ts';
import type { Answered } from '../../http/reply.ts';
import type { IndexFacts } from '../facts.ts';
import type { LinkHolder } from '../link-holder.ts';
import type { Reads } from '../reads.ts';
import type { Work } from '../work.ts';
import type { LocalIndex } from './local-index.ts';
import type { OpenFile } from './open-file.ts';

/** One generation of an index, open for answers. */
export interface OpenIndex {
  readonly facts: IndexFacts;
  /** The one file that is read; null where there are several shards. */
  readonly file: OpenFile | null;
  /** Null where other processes have the files. */
  readonly local: LocalIndex | null;
  readonly links: LinkHolder;
  /**
   * What `make` makes of its reads, by default of as many as it likes.
   *
   * Errors  Problem `shard-unavailable` where no shard could be asked; TooMuchWork, Unwanted of `work`.
   */
  answer<Value>(make: (reads: Reads) => OrLater<Value>, work?: Work): OrLater<Answered<Value>>;
  close(): void;
}
