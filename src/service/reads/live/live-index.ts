import { FileReads } from '../file/file-reads.ts';
import type { OpenFile } from '../file/open-file.ts';
import type { OpenIndex } from '../file/open-index.ts';
import { GoneMembers } from './gone-members.ts';
import { LiveLists } from './live-lists.ts';
import { LiveReads } from './live-reads.ts';
import { LiveSnapshot } from './live-snapshot.ts';
import { Segment } from './segment.ts';
import { SegmentSearch } from './segment-search.ts';

/** An open index, with the pages that wait. */
export interface LiveIndex extends OpenIndex {
  readonly file: OpenFile;
  readonly segment: Segment;
  /** Null where all is read from the file. */
  readonly held: LiveSnapshot | null;
}

/** The index of one whole file, which takes pages. */
export function liveIndex(index: OpenIndex): LiveIndex {
  const file = index.file!;
  const segment = new Segment(file);
  const { relation } = segment;
  const lists = relation === null ? null : new LiveLists(file, segment, relation);
  const parts = { segment, lists, search: new SegmentSearch(segment), gone: new GoneMembers(file, segment) };
  return {
    ...index,
    file,
    segment,
    held: file.snapshot === null ? null : new LiveSnapshot(file.snapshot, segment, lists),
    get facts() {
      return segment.facts;
    },
    answer: async (make, work) => {
      const isEmpty = segment.pages.length === 0;
      const reads = isEmpty ? new FileReads(file, work) : new LiveReads(file, parts, work);
      return { value: await make(reads), lost: [] };
    },
  };
}
