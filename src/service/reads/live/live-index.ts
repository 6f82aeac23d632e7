import { andThen } from '../../../lib/or-later.ts';
import { blendingOf } from '../blended-search.ts';
import type { OpenIndex } from '../file/open-index.ts';
import { BlendedLists } from './blended-lists.ts';
import { HiddenMembers } from './hidden-members.ts';
import { LiveLists } from './live-lists.ts';
import { LiveReads } from './live-reads.ts';
import { LiveSnapshot } from './live-snapshot.ts';
import { Segment } from './segment.ts';
import { SegmentSearch } from './segment-search.ts';

/** An open index, with the pages that wait. */
export interface LiveIndex extends OpenIndex {
  readonly segment: Segment;
  /** Null where all is read from files, for good or so far. */
  readonly held: LiveSnapshot | null;
}

/** An index of local files, which takes pages. */
export function liveIndex(index: OpenIndex): LiveIndex {
  const local = index.local!;
  const segment = new Segment(local);
  const { relation } = segment;
  const lists = relation === null ? null : new LiveLists(local, segment, relation);
  const blending = relation === null ? null : blendingOf(local.facts, relation);
  const isSearched = blending !== null || local.facts.lendShare > 0;
  const blended =
    relation === null || !isSearched ? null : new BlendedLists(local, segment, relation, blending);
  const parts = {
    segment,
    lists,
    blended,
    search: new SegmentSearch(segment),
    hiddenMembers: new HiddenMembers(local, segment),
  };
  let held: LiveSnapshot | null = null;
  return {
    ...index,
    segment,
    get held() {
      const { snapshot } = local;
      if (snapshot === null) return null;
      return (held ??= new LiveSnapshot(snapshot, segment, blending === null ? lists : null));
    },
    get facts() {
      return segment.facts;
    },
    answer: (make, work) => {
      if (segment.pages.length === 0) return index.answer(make, work);
      return andThen(make(new LiveReads(local, parts, work)), (value) => ({ value, lost: [] }));
    },
  };
}
