/** Lists by words: of those that are near to a page or a document, chosen and shown. */

import { andThen, type OrLater } from '../../../lib/or-later.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Blendable } from '../../reads/blended-search.ts';
import type { VotedCandidates } from './candidates.ts';
import { type FoundList, markPins, selectedList } from './found-list.ts';
import { arrangement } from './selection/arrangement.ts';
import type { ListAsk } from './selection/list-ask.ts';
import { pageFilter, type Subject } from './selection/page-filter.ts';
import { pinnedPages } from './selection/pins.ts';
import { explain, type Why } from './selection/rank.ts';
import { type Selection, selectNeighbors } from './selection/selection.ts';

/** Whose list it is. */
interface NearTo {
  readonly subject: Subject;
  /** -1 for a document that is no page. */
  readonly pageId: number;
  /** Its bag and its vector. */
  own(): OrLater<Blendable>;
  /** What is said of why pages are there, from what is said of its bag; by default that. */
  readonly also?: (why: Why) => Why;
}

export function nearestList(
  { reads, narrowing, offset }: ListAsk,
  relation: RelationRecord,
  { subject, pageId, own, also = (why) => why }: NearTo,
  candidates: VotedCandidates,
  filtered = pageFilter(reads, subject, narrowing),
): OrLater<FoundList> {
  const arranged = arrangement(reads, relation, narrowing);
  return andThen(filtered, (filter) =>
    andThen(pinnedPages(reads, relation, own, pageId, filter), (pins) => {
      const selecting = selectNeighbors({ reads, narrowing, offset }, candidates, filter, arranged, pins);
      const whyOf = async () => {
        const [mine, voted] = await Promise.all([own(), candidates.voted()]);
        return also(await explain({ reads, relation, list: voted, self: pageId }, mine));
      };
      const shown = (selection: Selection, why: Why | null) =>
        selectedList(reads, selection, subject, relation.measure, why, narrowing);
      const selected = narrowing.explain
        ? Promise.all([selecting, whyOf()]).then(([selection, why]) => shown(selection, why))
        : andThen(selecting, (selection) => shown(selection, null));
      return andThen(selected, (found) => {
        const list = markPins(pins, found, narrowing.explain);
        return arranged === null ? list : arranged.scored(list);
      });
    }),
  );
}
