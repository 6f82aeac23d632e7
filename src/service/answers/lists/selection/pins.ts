/** Pages that rules put first in lists by words, each with its exact similarity, however small that is. */
import type { Bag } from '../../../../features/bag.ts';
import { overlap } from '../../../../join/exact/weighted-jaccard.ts';
import { allOf, joined, kept } from '../../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import type { OrLater } from '../../../../lib/or-later.ts';
import type { RelationRecord } from '../../../../store/records.ts';
import type { Reads } from '../../../reads/reads.ts';
import type { RuleOf } from '../../../rules/rules.ts';
import type { PageFilter } from './page-filter.ts';

export interface Pins {
  /** In the order of the rules. */
  readonly span: NeighborSpan;
  readonly of: ReadonlyMap<number, RuleOf>;
}

/** The pages to pin for a list of `bag`: those of the index that are there, pass the filter and are not the subject. */
export function pinnedPages(
  reads: Reads,
  relation: RelationRecord,
  own: () => OrLater<{ readonly bag: Bag }>,
  self: number,
  filter: PageFilter,
): OrLater<Pins | null> {
  return filter.pins.length === 0 ? null : foundPins(reads, relation, own, self, filter);
}

async function foundPins(
  reads: Reads,
  relation: RelationRecord,
  own: () => OrLater<{ readonly bag: Bag }>,
  self: number,
  { pins, accept }: PageFilter,
): Promise<Pins | null> {
  const found = await Promise.all(
    pins.map(async ({ url, of }) => {
      const pageId = await reads.idOf(url);
      if (pageId < 0) return null;
      const speaker = await reads.successor(pageId);
      return speaker === self || (await reads.isGone(speaker)) ? null : ([speaker, of] as const);
    }),
  );
  const of = new Map(found.filter((one) => one !== null).toReversed());
  const ids = [...new Set(found.flatMap((one) => (one === null ? [] : [one[0]])))];
  const passes = (await accept?.(ids)) ?? ids.map(() => true);
  const passing = ids.filter((_, i) => passes[i]);
  if (passing.length === 0) return null;
  return { span: await similarToBag(reads, relation, (await own()).bag, passing), of };
}

/** Pages with their exact similarities to a bag, in their order. */
export async function similarToBag(
  reads: Reads,
  { id }: RelationRecord,
  own: Bag,
  pageIds: readonly number[],
): Promise<NeighborSpan> {
  const bags = await Promise.all(pageIds.map((pageId) => reads.bag(id, pageId)));
  const shared = Float64Array.from(bags, (bag) => overlap(own, bag));
  const total = Float64Array.from(bags, (bag, i) => own.sum + bag.sum - shared[i]!);
  return allOf({ ids: Uint32Array.from(pageIds), shared, total });
}

/** A list behind the pinned pages, none of them twice. */
export function pinnedFirst(pins: Pins | null, list: NeighborSpan): NeighborSpan {
  if (pins === null) return list;
  return joined(
    pins.span,
    kept(list, (at) => !pins.of.has(list.ids[at]!)),
  );
}

/** How many pages at the start of a list are pinned. */
export function pinnedCount(pins: Pins | null, { ids, start, end }: NeighborSpan): number {
  let at = start;
  while (at < end && pins?.of.has(ids[at]!)) at++;
  return at - start;
}
