/**
 * The exact neighbors of a few sampled pages, as the measure of recall: the sample's bags become posting
 * lists, and all pages stream past them. Nothing is indexed but the sample, so 20 million pages cost one
 * pass and no memory.
 *
 * Cost    entries of a page times the sampled pages that share them: 1 to 3 µs a page for each 256 sampled.
 */

import { mix32 } from '../../../lib/hash.ts';
import { keptIn } from '../../../lib/kept.ts';
import { Random } from '../../../lib/random.ts';
import { entriesOf, fillBlock, type PostingBlock } from '../../exact/postings.ts';
import { type MeasuredRecall, measuredRecall } from '../../pairs/measured-recall.ts';
import { type JoinSpace, UNIT_PAGES } from '../space/join-space.ts';
import type { JoinThread } from '../space/join-thread.ts';
import { bound, type HeapArrays, offer } from '../space/neighbor-heaps.ts';

/** `size` different pages with a bag, ascending; all of them where there are fewer. */
export function drawSample(sums: Uint16Array, size: number, seed: number): Uint32Array {
  const filled: number[] = [];
  if (sums.length <= 4 * size) {
    for (let page = 0; page < sums.length; page++) if (sums[page]! > 0) filled.push(page);
  }
  const chosen = new Set<number>();
  const random = new Random(seed ^ 0x73616d70);
  for (let tries = 0; chosen.size < size && tries < 20 * size; tries++) {
    const page = filled.length > 0 ? filled[random.below(filled.length)]! : random.below(sums.length);
    if (sums[page]! > 0) chosen.add(page);
  }
  return Uint32Array.from(chosen).sort();
}

interface SamplePostings {
  /** The sampled bags by feature; entry = sample index | weight << 24. */
  readonly block: PostingBlock;
  readonly overlaps: Uint16Array;
  readonly touched: Uint16Array;
}
const postingsOf = new WeakMap<JoinThread, SamplePostings>();

/** Offers the unit's pages to the sampled pages' exact heaps (those of this thread), which keep the nearest. */
export function streamSample(thread: JoinThread, unit: number): void {
  const { sample, floor } = thread.space;
  const firstHeap = thread.index * sample.pages.length;
  meetSample(thread, unit, (s, page, similarity) => {
    if (similarity >= bound(sample.heaps, firstHeap + s, floor)) {
      offer(sample.heaps, firstHeap + s, page, similarity);
    }
  });
}

/** As streamSample(), but the heaps keep pages at random of those at or above the floor, and these are counted. */
export function drawPairs(thread: JoinThread, unit: number): void {
  const { sample, floor, seed } = thread.space;
  const firstHeap = thread.index * sample.pages.length;
  meetSample(thread, unit, (s, page, similarity) => {
    if (similarity < floor) return;
    sample.pairCounts[firstHeap + s]!++;
    // The greatest of numbers that have nothing to do with similarity, the same on every thread.
    const lot = mix32(mix32(seed ^ sample.pages[s]!) ^ page) >>> 8;
    offer(sample.heaps, firstHeap + s, page, lot);
  });
}

/** Calls `meet` for each sampled page and each other page of the unit that shares a feature with it. */
function meetSample(
  thread: JoinThread,
  unit: number,
  meet: (s: number, page: number, similarity: number) => void,
): void {
  const { sample } = thread.space;
  const source = thread.entries;
  const { starts, ends, sums } = thread.space.bags;
  const postings = keptIn(postingsOf, thread, postSample);
  const { overlaps, touched } = postings;
  const { offsets, entries } = postings.block;
  const end = Math.min(sums.length, (unit + 1) * UNIT_PAGES);
  for (let page = unit * UNIT_PAGES; page < end; page++) {
    let count = 0;
    const at = source.locate(starts[page]!, ends[page]!);
    const { features, weights } = source;
    for (let i = at, last = at + ends[page]! - starts[page]!; i < last; i++) {
      const weight = weights[i]!;
      const stop = offsets[features[i]! + 1]!;
      for (let e: number = offsets[features[i]!]!; e < stop; e++) {
        const s = entries[e]! & 0xffffff;
        if (overlaps[s] === 0) touched[count++] = s;
        const difference = ((entries[e]! >>> 24) - weight) | 0;
        overlaps[s]! += weight + (difference & (difference >> 31));
      }
    }
    for (let i = 0; i < count; i++) {
      const s = touched[i]!;
      const shared = overlaps[s]!;
      overlaps[s] = 0;
      if (sample.pages[s] === page) continue;
      meet(s, page, shared / (sums[page]! + sums[sample.pages[s]!]! - shared));
    }
  }
}

function postSample(thread: JoinThread): SamplePostings {
  const { pages } = thread.space.sample;
  const { starts, ends, sums, featureCount } = thread.space.bags;
  const bags = {
    starts: Float64Array.from(pages, (page) => starts[page]!),
    ends: Float64Array.from(pages, (page) => ends[page]!),
    sums: Uint16Array.from(pages, (page) => sums[page]!),
    featureCount,
  };
  const range = { firstPage: 0, pageCount: pages.length };
  const block = {
    ...range,
    offsets: new Uint32Array(featureCount + 1),
    entries: new Uint32Array(entriesOf(bags, range)),
  };
  fillBlock(bags, thread.entries, block);
  return { block, overlaps: new Uint16Array(pages.length), touched: new Uint16Array(pages.length) };
}

/** Gathers the threads' heaps into those of thread 0. */
export function mergeSample(heaps: HeapArrays, pageCount: number): void {
  const threads = heaps.counts.length / Math.max(1, pageCount);
  for (let heap = pageCount; heap < threads * pageCount; heap++) {
    for (let i = 0; i < heaps.counts[heap]!; i++) {
      const slot = heap * heaps.k + i;
      offer(heaps, heap % pageCount, heaps.ids[slot]! & 0x7fff_ffff, heaps.similarities[slot]!);
    }
    heaps.counts[heap] = 0;
  }
}

/**
 * The share of the sampled pages' nearest that their heaps hold, of all pages and of each kind; at a tie at the end of
 * the list, any of the tied counts.
 */
export function measureRecall({ sample, heaps, bags }: JoinSpace): MeasuredRecall & RecallByKind {
  const sampleCount = sample.pages.length;
  const wanted = new Uint8Array(sampleCount);
  const held = new Uint8Array(sampleCount);
  for (const [s, page] of sample.pages.entries()) {
    const count = sample.heaps.counts[s]!;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++)
      least = Math.min(least, sample.heaps.similarities[s * sample.heaps.k + i]!);
    let found = 0;
    for (let i = 0; i < heaps.counts[page]!; i++) {
      if (heaps.similarities[page * heaps.k + i]! >= least) found++;
    }
    wanted[s] = count;
    held[s] = Math.min(found, count);
  }
  const pageCount = bags.sums.length;
  const kinds = BAG_KINDS.flatMap(({ kind, least, most }) => {
    const isOfKind = (_: number, s: number) => {
      const size = bags.ends[sample.pages[s]!]! - bags.starts[sample.pages[s]!]!;
      return size >= least && size <= most;
    };
    const ofKind = wanted.filter(isOfKind);
    if (ofKind.length < LEAST_OF_KIND) return [];
    const measured = measuredRecall(ofKind, held.filter(isOfKind), (ofKind.length / sampleCount) * pageCount);
    return [{ kind, ...measured }];
  });
  return { ...measuredRecall(wanted, held, pageCount), kinds };
}

/** Kinds of pages by the features of their bags: a collection may mix short posts and long articles. */
const BAG_KINDS = [
  { kind: 'short', least: 1, most: 63 },
  { kind: 'middle', least: 64, most: 255 },
  { kind: 'long', least: 256, most: Number.POSITIVE_INFINITY },
] as const;
/** Of fewer sampled pages the recall says nothing. */
const LEAST_OF_KIND = 32;

export interface RecallByKind {
  /** By the number of features: short below 64, long from 256 on; kinds of too few sampled pages are left out. */
  readonly kinds: readonly (MeasuredRecall & { readonly kind: (typeof BAG_KINDS)[number]['kind'] })[];
}
