import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { andThen, type OrLater } from '../../../lib/or-later.ts';
import { makeCursor } from '../../http/question/request-key.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Head, Reads } from '../../reads/reads.ts';
import type { EmptyReason, RelatedAnswer, RelatedPageAnswer } from '../../schemas/answers/list-answers.ts';
import type { Measure } from '../../schemas/fields.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { type ListCard, listShown, showsMore } from '../passages/list-cards.ts';
import type { ListAsk } from './selection/list-ask.ts';
import type { Subject } from './selection/page-filter.ts';
import type { Pins } from './selection/pins.ts';
import type { Why } from './selection/rank.ts';
import type { Selection } from './selection/selection.ts';

/** A list that is found, as far as it is asked for. */
export interface FoundList {
  readonly items: readonly RelatedPageAnswer[];
  /** Of these. */
  readonly pageIds: ArrayLike<number>;
  readonly more: boolean;
  /** Null unless the whole list is empty. */
  readonly emptyReason: EmptyReason | null;
  /** What only lists of this kind say. */
  readonly tail?: Pick<RelatedAnswer, 'complete' | 'left_out'>;
}

/** What an answer says of a list; `hash` names the request (`textHash`) and goes into the cursor of the next page. */
export function listAnswer(
  { reads: { facts }, narrowing: { by, limit }, offset }: ListAsk,
  { items, more, emptyReason, tail }: FoundList,
  hash: string,
): Omit<RelatedAnswer, 'url' | 'title'> {
  return {
    by,
    generation: facts.id,
    related: items as RelatedPageAnswer[],
    empty_reason: emptyReason,
    next: more ? makeCursor(facts.state, hash, offset + limit) : null,
    ...tail,
  };
}

/**
 * Neighbors of one measure, with the figures that they were found by; `why` where the answer is to be explained, which nothing
 * is where a page cannot be looked at.
 */
export function selectedList(
  reads: Reads,
  { span, fallbackCount, more, emptyReason }: Selection,
  subject: Subject,
  measure: Measure,
  why: Why | null,
  shown: Pick<Narrowing, 'cards' | 'fields' | 'fallback'>,
): OrLater<FoundList> {
  const pageIds = span.ids.subarray(span.start, span.end);
  const named = reads.heads(pageIds);
  const listed = (
    heads: readonly Head[],
    reasons: readonly Awaited<ReturnType<Why>>[] | null = null,
    said: readonly ListCard[] | null = null,
  ): FoundList => {
    const fallbackFrom = heads.length - fallbackCount;
    const items = heads.map(
      ({ url, title, fetched, siteId }, i): RelatedPageAnswer => ({
        url,
        title,
        fetched,
        similarity: similarityAt(span, span.start + i),
        measure,
        same_site: siteId === subject.siteId,
        ...(i >= fallbackFrom && { fallback: shown.fallback as Exclude<Narrowing['fallback'], 'none'> }),
        ...reasons?.[i],
        ...said?.[i],
      }),
    );
    return { items, pageIds, more, emptyReason };
  };
  if (why === null && !showsMore(shown)) return andThen(named, (heads) => listed(heads));
  const reasonOf = async (pageId: number) => {
    const reason = await why!(pageId);
    return reads.isOutOfReach(pageId) ? {} : reason;
  };
  return Promise.all([
    named,
    why === null ? null : Promise.all(Array.from(pageIds, reasonOf)),
    andThen(named, (heads) => listShown(reads, shown, pageIds, heads)),
  ]).then((found) => listed(...found));
}

function similarityAt({ shared, total }: NeighborSpan, at: number): number {
  return total[at] === 0 ? 0 : sixDecimals(shared[at]! / total[at]!);
}

/** Says of pages of a list that they are pinned. */
export function markPins(pins: Pins | null, list: FoundList, isExplained: boolean): FoundList {
  if (pins === null) return list;
  const items = list.items.map((item, i) => {
    const of = pins.of.get(list.pageIds[i]!);
    if (of === undefined) return item;
    const why = isExplained ? { why: { ...item.why, pinned_for: of } } : {};
    return { ...item, measure: 'exact' as const, pinned: true as const, ...why };
  });
  return { ...list, items };
}
