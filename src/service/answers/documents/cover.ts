/**
 * The smallest set of pages that hold a text, greedily: each time the page that holds most of what is not held yet.
 *
 *   text   a b c d e f g h i        page 1 holds a b c d e   page 2 holds d e f g   page 3 holds f g
 *   taken  1 1 1 1 1 2 2 . .        page 3 holds nothing new, h and i are the remainder
 *
 * Shingles are counted, of whole texts where the index keeps them, else of a sample. A greedy set holds at least 63 % of
 * what the best set of its size does.
 *
 * Source  Nemhauser, Wolsey, Fisher 1978; as `sourmash gather` does with sketches of genomes.
 */

import { keptIn } from '../../../lib/kept.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import { overlapOf } from '../../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../../sketch/shingle-sketch.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { CoverAnswer } from '../../schemas/answers/copy-answers.ts';
import type { CoverQuery } from '../../schemas/parameters/parameters.ts';
import { versionsSharing } from '../copies/copy-search.ts';
import { type CopySource, copySource, wholeSketch } from '../copies/copy-source.ts';
import type { Wording } from '../copies/wording.ts';

/** Sets of shingles that are looked at: those that share most of the sketch. */
const MAX_TEXTS = 200;

interface Holder {
  readonly url: string;
  readonly title: string;
  readonly sketch: ShingleSketch;
}

/** What a holder adds to those before it. */
interface Taken {
  readonly page: Pick<Holder, 'url' | 'title'>;
  readonly keys: ArrayLike<number> & Iterable<number>;
  readonly added: number;
}

/**
 * @param pageId the page that the text is known as, which is not among them; -1 for none.
 * Errors  Problem `relation-not-in-index`.
 */
export async function coverAnswer(
  reads: Reads,
  wording: Wording,
  pageId: number,
  { limit, min_share: least }: Pick<CoverQuery, 'limit' | 'min_share'>,
): Promise<CoverAnswer> {
  const source = copySource(reads);
  const { holders, complete } = await holdersOf(source, wording, pageId);
  const whole = await wording.whole();
  const isExact = whole !== null && holders.every(({ sketch }) => sketch.limit === Infinity);
  const text = isExact ? whole : wording.sketch;
  const bound = Math.min(text.limit, ...holders.map(({ sketch }) => sketch.limit));
  const keys = new Set(text.keys.filter((key) => key < bound));
  const hits = holders.map(({ sketch, ...page }) => ({
    page,
    keys: sketch.keys.filter((key) => keys.has(key)),
  }));
  const left = new Set(keys);
  const share = (count: number) => (keys.size === 0 ? 0 : sixDecimals(count / keys.size));
  const taken: Taken[] = [];
  while (taken.length < limit) {
    let best: Taken | null = null;
    for (const hit of hits) {
      const added = hit.keys.reduce((count, key) => count + Number(left.has(key)), 0);
      if (added > (best?.added ?? 0)) best = { ...hit, added };
    }
    if (best === null || !reachesShare(best.added, keys.size, least)) break;
    taken.push(best);
    for (const key of best.keys) left.delete(key);
  }
  return {
    generation: reads.facts.id,
    shingle_count: wording.sketch.shingleCount,
    pages: taken.map(({ page, keys: { length }, added }) => ({
      ...page,
      share: share(added),
      holds: share(length),
    })),
    remainder: keys.size === 0 ? 1 : share(left.size),
    measure: isExact ? 'exact' : 'estimate',
    complete,
  };
}

/** A set of shingles, and the versions that have it: of other titles, of several shards, of pages that wait. */
interface Text {
  readonly sketch: ShingleSketch;
  readonly shared: number;
  readonly shingleDigest: string;
  readonly versionIds: number[];
}

/** Pages that read now as texts that share shingles with a wording, a page a text, in the order of their URLs. */
async function holdersOf(
  source: CopySource,
  wording: Wording,
  skip: number,
): Promise<{ readonly holders: readonly Holder[]; readonly complete: boolean }> {
  const { reads } = source;
  const { versionIds, complete } = await versionsSharing(source, wording);
  const texts = await textsOf(reads, wording, versionIds);
  const holders: Holder[] = [];
  for (let from = 0; from < texts.length && holders.length <= MAX_TEXTS; from += MAX_TEXTS) {
    const found = texts.slice(from, from + MAX_TEXTS).map(async ({ versionIds: own, sketch }) => {
      const page = await firstPage(reads, own, skip);
      return page && { ...page, sketch: (await wholeSketch(source, own[0]!, sketch)) ?? sketch };
    });
    holders.push(...(await Promise.all(found)).filter((one) => one !== null));
  }
  return {
    holders: holders.slice(0, MAX_TEXTS).sort((x, y) => (x.url < y.url ? -1 : 1)),
    complete: complete && holders.length <= MAX_TEXTS,
  };
}

/** Most shared first, ties in an order that is that of any index of these texts. */
async function textsOf(reads: Reads, { sketch: own }: Wording, versionIds: Uint32Array): Promise<Text[]> {
  const sketches = await Promise.all(Array.from(versionIds, (versionId) => reads.sketch(versionId)));
  const texts = new Map<string, Text>();
  for (const [i, { sketch, shingleDigest }] of sketches.entries()) {
    const { shared } = texts.get(shingleDigest) ?? overlapOf(own, sketch);
    if (shared === 0) continue;
    const text = keptIn(texts, shingleDigest, () => ({ sketch, shared, shingleDigest, versionIds: [] }));
    text.versionIds.push(versionIds[i]!);
  }
  return [...texts.values()].sort(
    (x, y) => y.shared - x.shared || (x.shingleDigest < y.shingleDigest ? -1 : 1),
  );
}

/** By URL the first page but `skip` that reads now as one of some versions; null where none does. */
async function firstPage(
  reads: Reads,
  versionIds: readonly number[],
  skip: number,
): Promise<Taken['page'] | null> {
  const found = await Promise.all(versionIds.map((versionId) => reads.currentPages(versionId, 2)));
  const pageIds = found.flatMap(({ pageIds: ids }) => ids.find((id) => id !== skip) ?? []);
  const [first = null] = (await reads.heads(pageIds)).toSorted((x, y) => (x.url < y.url ? -1 : 1));
  return first && { url: first.url, title: first.title };
}
