/**
 * Which neighbours an answer lists, complete whatever the filters leave.
 *
 * The stored list is walked first. Where it was cut at the index's limit and the filters leave fewer than
 * were asked for, the nearest pages that pass the filters are searched for anew, with the similarities
 * that the stored list would hold; so a page at rank 500 is found if it is the best of the sites asked for.
 */
import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import { sixDecimals } from '../http/json-writer.ts';
import type { EmptyReason } from '../schemas/list-answers.ts';
import type { Narrowing } from '../schemas/parameters.ts';
import type { NearCopies } from './near-copies.ts';
import type { Accept, PageFilter } from './page-filter.ts';

/** Where neighbours come from, nearest first, ties by page id, the subject itself never among them. */
export interface Candidates {
  readonly stored: NeighbourSpan;
  /** Whether `stored` holds every neighbour at or above the floor. */
  readonly complete: boolean;
  /** The `count` nearest at or above the floor that `accept` lets pass, in the order of `stored`. */
  nearest(count: number, accept: Accept | null): NeighbourSpan;
  /** Why nothing can be near, where that is so whatever the index holds. */
  hopeless(): 'gone' | 'too_little_text' | null;
}

export interface Selection {
  readonly span: NeighbourSpan;
  readonly more: boolean;
  /** Null unless the whole list is empty. */
  readonly emptyReason: EmptyReason | null;
}

export function selectNeighbours(
  generation: Generation,
  candidates: Candidates,
  { accept, copies }: PageFilter,
  narrowing: Narrowing,
  offset: number,
): Selection {
  const { limit, min_similarity: least, max_per_site: siteCap } = narrowing;
  const wanted = offset + limit + 1;
  const { stored, complete } = candidates;
  const cut = least === 0 ? stored.end : firstBelow(stored, least);
  const isWalked = copies !== null || siteCap !== undefined;
  const walked = (span: NeighbourSpan, filter: Accept | null): NeighbourSpan =>
    walk(generation, span, filter, copies?.() ?? null, siteCap, wanted);
  let passed: NeighbourSpan = { ...stored, end: cut };
  if (accept !== null || isWalked) passed = walked(passed, accept);

  if (lengthOf(passed) < wanted && cut === stored.end && !complete) {
    for (let count = wanted; ; count *= 4) {
      const found = candidates.nearest(count, accept);
      const near: NeighbourSpan = { ...found, end: least === 0 ? found.end : firstBelow(found, least) };
      passed = isWalked ? walked(near, null) : near;
      if (lengthOf(passed) >= wanted || lengthOf(near) < count) break;
    }
  }

  const start = Math.min(passed.start + offset, passed.end);
  const end = Math.min(start + limit, passed.end);
  const emptyReason = offset === 0 && start === end ? reasonOf(candidates, least) : null;
  if (emptyReason !== null) generation.emptyAnswers[emptyReason]++;
  return { span: { ...passed, start, end }, more: passed.end > end, emptyReason };
}

function lengthOf(span: NeighbourSpan): number {
  return span.end - span.start;
}

/** Judged by the figure that is printed, so that a printed one can be asked for. */
function firstBelow(span: NeighbourSpan, least: number): number {
  const printed = sixDecimals(least);
  let at = span.start;
  while (at < span.end && sixDecimals(span.shared[at]! / span.total[at]!) >= printed) at++;
  return at;
}

/** Copies what passes, at most `wanted`; each page that passes is added to `copies`. */
function walk(
  { catalog }: Generation,
  span: NeighbourSpan,
  accept: Accept | null,
  copies: NearCopies | null,
  siteCap: number | undefined,
  wanted: number,
): NeighbourSpan {
  const kept: number[] = [];
  const ofSite = new Map<number, number>();
  for (let at = span.start; at < span.end && kept.length < wanted; at++) {
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
    kept.push(at);
  }
  return {
    ids: Uint32Array.from(kept, (at) => span.ids[at]!),
    shared: Uint16Array.from(kept, (at) => span.shared[at]!),
    total: Uint16Array.from(kept, (at) => span.total[at]!),
    start: 0,
    end: kept.length,
  };
}

function reasonOf(candidates: Candidates, least: number): EmptyReason {
  const hopeless = candidates.hopeless();
  if (hopeless !== null) return hopeless;
  const { stored } = candidates;
  const nearest = lengthOf(stored) > 0 || candidates.complete ? stored : candidates.nearest(1, null);
  return firstBelow(nearest, least) > nearest.start ? 'excluded' : 'below_threshold';
}
