/**
 * Pages that only the template of a host makes like a wording: they reach the threshold of copies, and do not by their own
 * text. No list has them; where it is empty, they are the reason.
 *
 * Cost  10-20 us a version compared, see copy-search.ts.
 */

import { isCopy } from '../../../join/copies/pair-checks.ts';
import { markSketch, sharedTemplate } from '../../../join/copies/template-shingles.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import { joinOptionsOf } from '../../../relations/copy.ts';
import { currentPages, foldsOf, originOf } from './copy-search.ts';
import { type CopySource, templateOf } from './copy-source.ts';
import type { Wording } from './wording.ts';

/** Versions compared at most, those that share most of the template. */
const MAX_COMPARED = 1000;

interface TemplateCopies {
  readonly count: number;
  /** Versions that share template and were not compared, as far as they are known. */
  readonly uncomparedCount: number;
  readonly complete: boolean;
}

export const NO_TEMPLATE_COPIES: TemplateCopies = { count: 0, uncomparedCount: 0, complete: true };

/** Counts them among the pages of resemblance `least` or more, the page `skip` left out. */
export async function templateCopies(
  source: CopySource,
  wording: Wording,
  skip: number,
  least: number,
): Promise<TemplateCopies> {
  const { reads, parameters } = source;
  const { sketch, host, lang } = wording;
  const mark = async (of: typeof sketch, ofHost: string) =>
    markSketch(of, await templateOf(source, ofHost), parameters.template_minimum_keys);
  const own = host === null ? null : await mark(sketch, host);
  const keys = own === null || own.isBare ? [] : sketch.keys.filter((_, i) => own.isTemplate[i] === 1);
  if (own === null || keys.length === 0) return NO_TEMPLATE_COPIES;
  const { versionIds, unreadCount } = await reads.withShingle(Float64Array.from(keys));
  const folds = await foldsOf(source, wording, versionIds.subarray(0, MAX_COMPARED), new Float64Array(0));
  const counts = Array.from(folds.values(), async ({ sketch: other, overlap, versionIds: ids }) => {
    const { shared, ofA, ofB } = overlap;
    if (!reachesShare(shared, ofA + ofB - shared, least)) return 0;
    const { pageIds, moreCount } = await currentPages(reads, ids);
    const origin = await originOf(reads, pageIds);
    if (origin === undefined || isTranslation(lang, origin.lang, parameters.language_check)) return 0;
    const template = sharedTemplate(own, await mark(other, origin.host!));
    const limits = { limitOfA: sketch.limit, limitOfB: other.limit };
    if (isCopy({ ...overlap, template, ...limits }, joinOptionsOf(parameters))) return 0;
    return pageIds.length + moreCount - (pageIds.includes(skip) ? 1 : 0);
  });
  const uncomparedCount = Math.max(0, versionIds.length - MAX_COMPARED);
  return {
    count: (await Promise.all(counts)).reduce((sum, count) => sum + count, 0),
    uncomparedCount,
    complete: unreadCount === 0 && uncomparedCount === 0,
  };
}

function isTranslation(lang: string | null, other: string | null, isChecked: boolean): boolean {
  return isChecked && lang !== null && other !== null && lang !== other;
}
