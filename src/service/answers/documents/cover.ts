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

/** Texts that are looked at: those that share most of the sketch. */
const MAX_TEXTS = 200;

interface Holder {
  readonly pageId: number;
  readonly sketch: ShingleSketch;
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
  const hits = holders.map(({ pageId: id, sketch }) => ({
    id,
    keys: sketch.keys.filter((key) => keys.has(key)),
  }));
  const left = new Set(keys);
  const share = (count: number) => (keys.size === 0 ? 0 : sixDecimals(count / keys.size));
  const taken: { id: number; held: number; added: number }[] = [];
  while (taken.length < limit) {
    let best = { id: -1, held: 0, added: 0 };
    for (const { id, keys: own } of hits) {
      const added = own.reduce((count, key) => count + Number(left.has(key)), 0);
      if (added > best.added) best = { id, held: own.length, added };
    }
    if (best.added === 0 || !reachesShare(best.added, keys.size, least)) break;
    taken.push(best);
    for (const key of hits.find(({ id }) => id === best.id)!.keys) left.delete(key);
  }
  const heads = await reads.heads(taken.map(({ id }) => id));
  return {
    generation: reads.facts.id,
    shingle_count: wording.sketch.shingleCount,
    pages: heads.map(({ url, title }, i) => {
      return { url, title, share: share(taken[i]!.added), holds: share(taken[i]!.held) };
    }),
    remainder: keys.size === 0 ? 1 : share(left.size),
    measure: isExact ? 'exact' : 'estimate',
    complete,
  };
}

/** Pages that read now as texts that share shingles with a wording, a page a text, in the order of their ids. */
async function holdersOf(
  source: CopySource,
  wording: Wording,
  skip: number,
): Promise<{ readonly holders: readonly Holder[]; readonly complete: boolean }> {
  const { reads } = source;
  const { versionIds, complete } = await versionsSharing(source, wording);
  const found = await Promise.all(
    Array.from(versionIds, async (versionId) => {
      const { sketch } = await reads.sketch(versionId);
      return { versionId, sketch, shared: overlapOf(wording.sketch, sketch).shared };
    }),
  );
  const sharing = found
    .filter(({ shared }) => shared > 0)
    .sort((x, y) => y.shared - x.shared || x.versionId - y.versionId);
  const holders = await Promise.all(
    sharing.slice(0, MAX_TEXTS).map(async ({ versionId, sketch }) => {
      const { pageIds } = await reads.currentPages(versionId, 2);
      const pageId = pageIds.find((id) => id !== skip) ?? -1;
      return { pageId, sketch: (await wholeSketch(source, versionId, sketch)) ?? sketch };
    }),
  );
  return {
    holders: holders.filter(({ pageId }) => pageId >= 0).sort((x, y) => x.pageId - y.pageId),
    complete: complete && sharing.length <= MAX_TEXTS,
  };
}
