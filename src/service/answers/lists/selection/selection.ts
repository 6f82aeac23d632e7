/**
 * Which neighbors an answer lists, complete whatever the filters leave.
 *
 * The stored list is walked first. Where it was cut at the index's limit and the filters leave fewer than
 * were asked for, the nearest pages that pass the filters are searched for, with the similarities
 * that the stored list would hold; so a page at rank 500 is found if it is the best of the sites asked for.
 *
 * What is asked for changes no list, but says how much of it is shown. A search may find other pages where more are wanted: the
 * candidates of a list by words and vectors are more then, and a quick one misses others. So searches are of fixed sizes, and what each
 * finds stands behind what was found before.
 */

import { allOf, joined, kept, picked, withFurther } from '../../../../join/pairs/neighbor-span.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import { andThen, type OrLater } from '../../../../lib/or-later.ts';
import { sixDecimals } from '../../../http/six-decimals.ts';
import type { Reads } from '../../../reads/reads.ts';
import type { EmptyReason } from '../../../schemas/answers/list-answers.ts';
import type { Narrowing } from '../../../schemas/parameters/list-parameters.ts';
import type { NearCopies } from '../../copies/near-copies.ts';
import { ARRANGED_PAGES, type Arrangement } from './arrangement.ts';
import { fallbackPages } from './fallback.ts';
import type { ListAsk } from './list-ask.ts';
import { begunCopies, type PageFilter } from './page-filter.ts';
import { type Pins, pinnedCount, pinnedFirst } from './pins.ts';

/** Where neighbors come from, in the order of the list (`rank.ts`), the subject itself never among them. */
export interface Candidates {
  readonly stored: NeighborSpan;
  /** Whether `stored` holds every neighbor at or above the floor. */
  readonly complete: boolean;
  /** Whether no page beyond `stored` is more similar than all of it; where lists go by more than words there may be such. */
  readonly isBySimilarity?: boolean;
  /**
   * The `count` nearest at or above the floor that each pass by themselves, in the order in which they follow `stored`, whose pages
   * may be among them; with `isLeast` the most similar ones, as only those that reach a similarity are wanted.
   */
  nearest(
    count: number,
    filter: Pick<PageFilter, 'stored' | 'accept'>,
    isLeast: boolean,
  ): Promise<NeighborSpan>;
  /** How near pages are that are none of them, in their order; without it, not at all. */
  similar?(pageIds: readonly number[]): Promise<NeighborSpan>;
  /** Why nothing is near, where `stored` is empty and that is so whatever the index holds. */
  hopeless(): Promise<EmptyReason | null>;
}

export interface Selection {
  readonly span: NeighborSpan;
  /** The last pages of `span` that are no neighbors, but fill it up (`fallback.ts`). */
  readonly fallbackCount: number;
  readonly more: boolean;
  /** Null unless the whole list is empty. */
  readonly emptyReason: EmptyReason | null;
}

const ANY = { stored: null, accept: null };

/** Pages that the first search behind a stored list is for: so many, or as many times those that are left of the list. */
const LEAST_SEARCHED = 32;
const SEARCHED_TIMES = 4;

/** What a list is chosen from, and by what. */
interface Choice {
  readonly reads: Reads;
  readonly candidates: Candidates;
  readonly filter: PageFilter;
  readonly narrowing: Narrowing;
  readonly offset: number;
  readonly pins: Pins | null;
}

export function selectNeighbors(
  { reads, narrowing, offset }: ListAsk,
  candidates: Candidates,
  filter: PageFilter,
  arranged: Arrangement | null = null,
  pins: Pins | null = null,
): OrLater<Selection> {
  const choice = { reads, candidates, filter, narrowing, offset, pins };
  const arrangedCount = arranged === null ? 0 : ARRANGED_PAGES + (pins === null ? 0 : lengthOf(pins.span));
  const wanted = Math.max(offset + narrowing.limit + 1, arrangedCount);
  return andThen(passing(choice, wanted), (passed) =>
    andThen(arranged?.arrange(passed, pinnedCount(pins, passed)) ?? passed, (list) => shown(choice, list)),
  );
}

/** The first pages that pass: `wanted` of them, or more, where there are so many. */
function passing(choice: Choice, wanted: number): OrLater<NeighborSpan> {
  const { candidates, filter, narrowing, pins } = choice;
  const { max_per_site: siteCap, min_similarity: least } = narrowing;
  const isAny = filter.accept === null && filter.copies === null && siteCap === undefined;
  const near = leastNear(candidates.stored, least);
  const listed = pinnedFirst(pins, near);
  if (isAny && (candidates.complete || lengthOf(listed) >= wanted)) return listed;
  return searched(choice, near, listed, wanted);
}

async function searched(
  { reads, candidates, filter, narrowing, pins }: Choice,
  near: NeighborSpan,
  listed: NeighborSpan,
  most: number,
): Promise<NeighborSpan> {
  const { max_per_site: siteCap, min_similarity: least } = narrowing;
  const wanted = siteCap === undefined ? most : Math.min(most, siteCap * (await siteTotal(reads, narrowing)));
  const { stored, complete, isBySimilarity = true } = candidates;
  const isWalked = filter.copies !== null || siteCap !== undefined;
  let passed = listed;
  if (filter.accept !== null || isWalked) passed = await walk(reads, listed, filter, siteCap, wanted);

  const isAllNear = lengthOf(near) === lengthOf(stored) || !isBySimilarity;
  if (lengthOf(passed) >= wanted || !isAllNear || complete) return passed;
  const ofEach = { ...filter, copies: null };
  let found = filter.accept === null ? near : await walk(reads, near, ofEach, undefined, lengthOf(near));
  const first = Math.max(LEAST_SEARCHED, SEARCHED_TIMES * lengthOf(found));
  for (let count = first; ; count *= SEARCHED_TIMES) {
    const further = leastNear(await candidates.nearest(count, filter, least > 0), least);
    found = withFurther(found, further);
    passed = pinnedFirst(pins, found);
    if (isWalked) passed = await walk(reads, passed, { ...filter, ...ANY }, siteCap, wanted);
    if (lengthOf(passed) >= wanted || lengthOf(further) < count) return passed;
  }
}

/** What is shown of the pages that passed. */
function shown(choice: Choice, passed: NeighborSpan): OrLater<Selection> {
  const { narrowing, offset } = choice;
  const start = Math.min(passed.start + offset, passed.end);
  const end = Math.min(start + narrowing.limit, passed.end);
  const span = { ...passed, start, end };
  const isFull = narrowing.fallback === 'none' || lengthOf(span) === narrowing.limit;
  if (!isFull || (offset === 0 && start === end)) return filled(choice, passed, span);
  return { span, fallbackCount: 0, more: passed.end > end, emptyReason: null };
}

/** The same of a list that is short, or empty. */
async function filled(
  { reads, candidates, filter, narrowing, offset }: Choice,
  passed: NeighborSpan,
  listed: NeighborSpan,
): Promise<Selection> {
  const { fallback, limit, max_per_site: siteCap, min_similarity: least } = narrowing;
  const missingCount = limit - lengthOf(listed);
  const listedIds = passed.ids.subarray(passed.start, passed.end);
  const filling =
    fallback === 'none' || missingCount === 0
      ? []
      : await fallbackPages(reads, filter, fallback, siteCap, listedIds, missingCount);
  const isEmpty = offset === 0 && lengthOf(listed) === 0 && filling.length === 0;
  const emptyReason = isEmpty ? await reasonOf(candidates, least) : null;
  const span = filling.length === 0 ? listed : joined(listed, await similarTo(candidates, filling));
  return { span, fallbackCount: filling.length, more: passed.end > listed.end, emptyReason };
}

async function similarTo({ similar }: Candidates, pageIds: readonly number[]): Promise<NeighborSpan> {
  if (similar !== undefined) return similar(pageIds);
  const none = pageIds.map(() => 0);
  return allOf({
    ids: Uint32Array.from(pageIds),
    shared: Float64Array.from(none),
    total: Float64Array.from(none),
  });
}

/** How many sites pages of a list can be of, at most. */
async function siteTotal(
  reads: Reads,
  { site, same_site }: Pick<Narrowing, 'site' | 'same_site'>,
): Promise<number> {
  if (site !== undefined || same_site === 'only') return 1;
  return reads.siteTotal();
}

function lengthOf(span: NeighborSpan): number {
  return span.end - span.start;
}

/** Judged by the figure that is printed, so that a printed one can be asked for. */
function leastNear(list: NeighborSpan, least: number): NeighborSpan {
  if (least === 0) return list;
  const printed = sixDecimals(least);
  return kept(list, (at) => sixDecimals(list.shared[at]! / list.total[at]!) >= printed);
}

/** Copies what passes, at most `wanted`. Pages are looked at piece by piece: as many as are wanted, or go well together. */
async function walk(
  reads: Reads,
  span: NeighborSpan,
  filter: PageFilter,
  siteCap: number | undefined,
  wanted: number,
): Promise<NeighborSpan> {
  const isFar = reads.readAhead > 1;
  const places: number[] = [];
  const ofSite = new Map<number, number>();
  let copies: NearCopies | null = null;
  for (let at = span.start; at < span.end && places.length < wanted; ) {
    const walkedCount = isFar ? at - span.start : 0;
    const size = Math.max(wanted - places.length, reads.readAhead, walkedCount);
    const piece = span.ids.subarray(at, Math.min(span.end, at + size));
    const [passes, heads] = await Promise.all([
      filter.accept?.(piece),
      // The list names its pages: from afar they are read with what tells which it has.
      siteCap === undefined && !isFar ? null : reads.heads(piece),
      isFar && filter.copies?.readAhead(filter.twins, piece),
    ]);
    copies ??= await begunCopies(filter);
    for (let i = 0; i < piece.length && places.length < wanted; i++) {
      const pageId = piece[i]!;
      if (passes?.[i] === false) continue;
      if (copies !== null && (await copies.originalOf(pageId)) >= 0) continue;
      if (siteCap !== undefined) {
        const { siteId } = heads![i]!;
        const count = ofSite.get(siteId) ?? 0;
        if (count >= siteCap) continue;
        ofSite.set(siteId, count + 1);
      }
      if (copies !== null) await copies.add(pageId);
      places.push(at + i);
    }
    at += piece.length;
  }
  return picked(span, places);
}

/** Of a list that is empty as it is asked for: where something is near all the same, the text says enough. */
async function reasonOf(candidates: Candidates, least: number): Promise<EmptyReason> {
  const { stored, complete } = candidates;
  const isAny = lengthOf(stored) > 0;
  const hopeless = isAny ? null : await candidates.hopeless();
  if (hopeless !== null) return hopeless;
  const nearest = isAny || complete ? stored : await candidates.nearest(1, ANY, least > 0);
  return lengthOf(leastNear(nearest, least)) > 0 ? 'excluded' : 'below_threshold';
}
