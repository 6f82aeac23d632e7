import { groupResults, type RankedResult } from '../../../cluster/group-results.ts';
import { type MarkedSketch, markSketch, sharedTemplate } from '../../../join/copies/template-shingles.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import { COPY } from '../../../relations/copy.ts';
import { overlapOf } from '../../../sketch/resemblance.ts';
import { type ShingleSketch, sketchText } from '../../../sketch/shingle-sketch.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import { hostOf } from '../../../url/site.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { Reads } from '../../reads/reads.ts';
import type { GroupAnswer } from '../../schemas/answers/copy-answers.ts';
import { type CopySource, copySource, templateOf } from './copy-source.ts';
import { nearestCopy, type Reader } from './keep.ts';
import { pageWording } from './wording.ts';

/** A result of a ranked list: where it is, and its text where the caller sends it. */
export interface GivenResult {
  readonly url: string;
  readonly text?: string;
}

interface Placed extends RankedResult {
  /** -1 where the index does not have it. */
  readonly pageId: number;
  readonly title: string | null;
  /** What of it is template on its host. */
  readonly marked: MarkedSketch | null;
}

/**
 * The body of POST /group. Clusters of the index are not used: each result is compared with the
 * representative that a reader would see, so that what is hidden is like what is shown.
 *
 * Errors  Problem `relation-not-in-index`.
 */
export async function groupAnswer(
  reads: Reads,
  given: readonly GivenResult[],
  threshold: number | undefined,
  reader: Reader | null,
): Promise<GroupAnswer> {
  const source = copySource(reads);
  const results = await Promise.all(given.map((result) => place(source, result)));
  const least = threshold ?? source.relation.floor;
  const bestOf = async (ranks: readonly number[]) => {
    const known = ranks.filter((rank) => results[rank]!.pageId >= 0);
    const ids = known.map((rank) => results[rank]!.pageId);
    const best = known.length === 0 ? -1 : await nearestCopy(reads, reader!, ids);
    const rank = known.find((one) => results[one]!.pageId === best) ?? ranks[0]!;
    return { rank, ...nameOf(given, results, rank) };
  };
  const groups = await Promise.all(
    groupResults(results, least, likeWithoutTemplate(least)).map(
      async ({ ranks, resemblances, hiddenCount, unknown }) => ({
        representative: { rank: ranks[0]!, ...nameOf(given, results, ranks[0]!) },
        members: ranks.map((rank, i) => ({
          rank,
          ...nameOf(given, results, rank),
          resemblance: rounded(resemblances[i]!),
          measure: measureOf(results[ranks[0]!]!, results[rank]!),
        })),
        ...(reader !== null && { best: await bestOf(ranks) }),
        hidden_count: hiddenCount,
        unknown,
      }),
    ),
  );
  const hiddenCount = results.length - groups.length;
  return {
    by: COPY.name,
    generation: reads.facts.id,
    threshold: least,
    hidden_count: hiddenCount,
    groups,
  };
}

async function place(source: CopySource, { url, text }: GivenResult): Promise<Placed> {
  const { reads } = source;
  const canonical = canonicalUrl(url);
  const pageId = canonical === null ? -1 : await reads.idOf(canonical);
  const [page, known] = await Promise.all([
    pageId < 0 ? null : reads.page(pageId),
    pageId < 0 || text !== undefined ? null : pageWording(source, pageId),
  ]);
  const title = page?.title ?? null;
  // All shingles where the text is at hand.
  if (text !== undefined) {
    const sketch = sketchText(text, { ...source.options, minimum: Infinity });
    return { pageId, title, sketch, marked: await mark(source, sketch, canonical) };
  }
  if (known === null) return { pageId, title, sketch: null, marked: null };
  // A page that is known by links alone has no text to compare.
  const sketch = known.shingleDigest === null ? null : ((await known.whole()) ?? known.sketch);
  return { pageId, title, sketch, marked: await mark(source, known.sketch, canonical) };
}

async function mark(source: CopySource, sketch: ShingleSketch, url: string | null): Promise<MarkedSketch> {
  const template = url === null ? new Float64Array(0) : await templateOf(source, hostOf(url));
  return markSketch(sketch, template, source.parameters.template_minimum_keys);
}

/** Whether two results resemble each other without the template that both have, too. */
function likeWithoutTemplate(least: number): (a: Placed, b: Placed) => boolean {
  return ({ marked: a }, { marked: b }) => {
    const template = a === null || b === null ? 0 : sharedTemplate(a, b);
    if (template === 0) return true;
    const { shared, ofA, ofB } = overlapOf(a!, b!);
    return reachesShare(shared - template, ofA + ofB - shared - template, least);
  };
}

function nameOf(given: readonly GivenResult[], results: readonly Placed[], rank: number) {
  return { url: given[rank]!.url, title: results[rank]!.title };
}

/** Exact where all shingles of both are at hand. */
function measureOf({ sketch: a }: Placed, { sketch: b }: Placed): 'exact' | 'estimate' | null {
  if (a === null || b === null) return null;
  return a.limit === Infinity && b.limit === Infinity ? 'exact' : 'estimate';
}

function rounded(resemblance: number | null): number | null {
  return resemblance === null ? null : sixDecimals(resemblance);
}
