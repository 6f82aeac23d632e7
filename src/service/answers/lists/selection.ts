/**
 * Which neighbors an answer lists, complete whatever the filters leave.
 *
 * The stored list is walked first. Where it was cut at the index's limit and the filters leave fewer than
 * were asked for, the nearest pages that pass the filters are searched for, with the similarities
 * that the stored list would hold; so a page at rank 500 is found if it is the best of the sites asked for.
 */
import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';
import { sixDecimals } from '../../http/json-writer.ts';
import type { EmptyReason } from '../../schemas/list-answers.ts';
import type { Narrowing } from '../../schemas/list-parameters.ts';
import type { NearCopies } from '../copies/near-copies.ts';
import type { PageFilter } from './page-filter.ts';
import { kept, picked } from './rank.ts';

/** Where neighbors come from, in the order of the list (`rank.ts`), the subject itself never among them. */
export interface Candidates {
  readonly stored: NeighborSpan;
  /** Whether `stored` holds every neighbor at or above the floor. */
  readonly complete: boolean;
  /** The `count` nearest at or above the floor that `accept` lets pass, those of `stored` first and in its order. */
  nearest(count: number, accept: Accept | null): NeighborSpan;
  /** Why nothing can be near, where that is so whatever the index holds. */
  hopeless(): EmptyReason | null;
}

/** Pages of a list that are asked for together before they are walked, at least. */
const READ_AHEAD = 1000;

export interface Selection {
  readonly span: NeighborSpan;
  readonly more: boolean;
  /** Null unless the whole list is empty. */
  readonly emptyReason: EmptyReason | null;
}

export function selectNeighbors(
  generation: Generation,
  candidates: Candidates,
  { accept, copies }: PageFilter,
  narrowing: Narrowing,
  offset: number,
): Selection {
  const { limit, min_similarity: least, max_per_site: siteCap } = narrowing;
  const wanted = offset + limit + 1;
  const { stored, complete } = candidates;
  const isWalked = copies !== null || siteCap !== undefined;
  const walked = (span: NeighborSpan, filter: Accept | null): NeighborSpan =>
    walk(generation, span, filter, copies?.() ?? null, siteCap, wanted);
  const near = leastNear(stored, least);
  let passed = near;
  if (accept !== null || isWalked) passed = walked(passed, accept);

  if (lengthOf(passed) < wanted && lengthOf(near) === lengthOf(stored) && !complete) {
    for (let count = wanted; ; count *= 4) {
      const found = leastNear(candidates.nearest(count, accept), least);
      passed = isWalked ? walked(found, null) : found;
      if (lengthOf(passed) >= wanted || lengthOf(found) < count) break;
    }
  }

  const start = Math.min(passed.start + offset, passed.end);
  const end = Math.min(start + limit, passed.end);
  const emptyReason = offset === 0 && start === end ? reasonOf(candidates, least) : null;
  if (emptyReason !== null) generation.emptyAnswers[emptyReason]++;
  return { span: { ...passed, start, end }, more: passed.end > end, emptyReason };
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

/** Copies what passes, at most `wanted`; each page that passes is added to `copies`. */
function walk(
  { catalog, readsAhead }: Generation,
  span: NeighborSpan,
  accept: Accept | null,
  copies: NearCopies | null,
  siteCap: number | undefined,
  wanted: number,
): NeighborSpan {
  let readUntil = readsAhead ? span.start : span.end;
  const readAhead = (count: number) => {
    const from = readUntil;
    readUntil = Math.min(span.end, from + count);
    for (const pageId of span.ids.subarray(from, readUntil)) {
      catalog.site(pageId);
      copies?.readAhead(pageId);
    }
  };
  const places: number[] = [];
  const ofSite = new Map<number, number>();
  for (let at = span.start; at < span.end && places.length < wanted; at++) {
    // Twice as many as are walked at most.
    if (at === readUntil) readAhead(Math.max(READ_AHEAD, at - span.start));
    const pageId = span.ids[at]!;
    if (accept !== null && !accept(pageId)) continue;
    if (copies !== null && copies.originalOf(pageId) >= 0) continue;
    if (siteCap !== undefined) {
      const site = catalog.site(pageId);
      const count = ofSite.get(site) ?? 0;
      if (count >= siteCap) continue;
      ofSite.set(site, count + 1);
    }
    copies?.add(pageId);
    places.push(at);
  }
  return picked(span, places);
}

function reasonOf(candidates: Candidates, least: number): EmptyReason {
  const hopeless = candidates.hopeless();
  if (hopeless !== null) return hopeless;
  const { stored } = candidates;
  const nearest = lengthOf(stored) > 0 || candidates.complete ? stored : candidates.nearest(1, null);
  return lengthOf(leastNear(nearest, least)) > 0 ? 'excluded' : 'below_threshold';
}
