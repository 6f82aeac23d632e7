/**
 * Copies of any wording, found as they are asked for: the versions that share the shingles by which the index looks
 * versions up, each compared by its sketch and judged as the build judges pairs (`join/copies/pair-checks.ts`).
 *
 * Cost         a look-up a shingle, then a sketch read and merged for each version found, most shared first: 10-20 us.
 * Breaks down  a passage of fewer than some 50 words of a page of 1,600 and more may share none of the shingles by which
 *              the page is looked up; `exact` compares with every version.
 */

import { sketchWithout } from '../../../join/copies/common-shingles.ts';
import { storedFraction } from '../../../join/copies/copy-relation.ts';
import { isCopy } from '../../../join/copies/pair-checks.ts';
import { reachesThreshold } from '../../../join/copies/sketch-comparison.ts';
import { type MarkedSketch, markSketch, sharedTemplate } from '../../../join/copies/template-shingles.ts';
import { allOf } from '../../../join/pairs/neighbor-span.ts';
import { type NeighborSpan, plainList } from '../../../join/pairs/neighbor-table.ts';
import { indexes } from '../../../lib/columns/indexes.ts';
import { keptIn } from '../../../lib/kept.ts';
import { reachesShare } from '../../../lib/reaches-share.ts';
import { joinOptionsOf } from '../../../relations/copy.ts';
import { overlapOf, type SketchOverlap } from '../../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../../sketch/shingle-sketch.ts';
import { simhashAgreement } from '../../../sketch/word-simhash.ts';
import type { CurrentPages } from '../../../store/read/version-reader.ts';
import { hostOf } from '../../../url/site.ts';
import type { Head, Reads } from '../../reads/reads.ts';
import { type CopySource, ignoredKeys, templateOf } from './copy-source.ts';
import type { Wording } from './wording.ts';

/** Versions compared for one wording at most: some 50 ms of them. */
const MAX_COMPARED = 4000;

/** Pages of one wording listed at most, the first of them: some 60 us each where they are read from several files. */
const MAX_LISTED = 4000;

/** Versions that share the shingles of a wording, and whether some that do were passed over. */
export interface SharingVersions {
  /** Most shared first. */
  readonly versionIds: Uint32Array;
  readonly complete: boolean;
  /** Versions that share shingles and were not looked at, as far as they are known. */
  readonly leftOutCount: number;
}

/** Versions of any sweep that share shingles with a wording; all there are, where `exact`. */
export async function versionsSharing(
  source: CopySource,
  wording: Wording,
  exact = false,
): Promise<SharingVersions> {
  const { reads } = source;
  if (exact) {
    return {
      versionIds: indexes(reads.facts.versionCount),
      complete: true,
      leftOutCount: 0,
    };
  }
  const { versionIds, unreadCount } = await reads.withShingle(await lookedUpKeys(source, wording));
  const leftOutCount = Math.max(0, versionIds.length - MAX_COMPARED);
  return {
    versionIds: versionIds.subarray(0, MAX_COMPARED),
    complete: unreadCount === 0 && leftOutCount === 0,
    leftOutCount,
  };
}

/** Its keys without the template of its host, which finds no copies but of pages that are hardly anything else. */
async function lookedUpKeys(source: CopySource, { sketch, host }: Wording): Promise<Float64Array> {
  const template = host === null ? NO_KEYS : await templateOf(source, host);
  if (template.length === 0) return sketch.keys;
  const { keys, isTemplate, isBare } = markSketch(sketch, template, source.parameters.template_minimum_keys);
  return isBare ? keys : keys.filter((_, i) => isTemplate[i] === 0);
}

const NO_KEYS = new Float64Array(0);

export interface FoundCopies {
  /** Nearest first by the sketches, ties by page id. */
  readonly span: NeighborSpan;
  readonly complete: boolean;
  readonly leftOutCount: number;
}

export interface FoundCopy {
  readonly pageId: number;
  readonly shared: number;
  readonly total: number;
}

/** Pages of one set of shingles: they are copies of another, or not, together, as in a build that folds them. */
interface Fold {
  readonly sketch: ShingleSketch;
  readonly overlap: SketchOverlap;
  readonly isSame: boolean;
  readonly versionIds: number[];
}

/** Of the page that is left out; and whether all versions are compared. */
interface CopyQuestion {
  readonly skip: number;
  readonly exact: boolean;
}

/** Pages that read now as copies of a wording, the page `skip` left out. */
export function copiesOfWording(
  source: CopySource,
  wording: Wording,
  question: CopyQuestion,
): Promise<FoundCopies> {
  const { shingleDigest, simhash, host, lang } = wording;
  const key = `copies ${question.skip} ${question.exact} ${shingleDigest} ${simhash} ${host} ${lang}`;
  const sizeOf = ({ span }: FoundCopies) => PAGE_BYTES * (1 + span.end);
  return source.reads.found.by(key, source.reads, sizeOf, () => searchCopies(source, wording, question));
}

/** Of a page that was found, id and figures. */
const PAGE_BYTES = 8;

async function searchCopies(
  source: CopySource,
  asked: Wording,
  { skip, exact }: CopyQuestion,
): Promise<FoundCopies> {
  const { reads } = source;
  const ignored = await ignoredKeys(source);
  const wording = { ...asked, sketch: sketchWithout(asked.sketch, ignored) };
  const { versionIds, complete, leftOutCount } = await versionsSharing(source, wording, exact);
  const folds = await foldsOf(source, wording, versionIds, ignored);
  const pages = new Map(
    await Promise.all(
      Array.from(folds.values(), async (fold) => [fold, await currentPages(reads, fold.versionIds)] as const),
    ),
  );
  const same = wording.shingleDigest === null ? undefined : folds.get(wording.shingleDigest);
  const judge = new Judge(source, {
    ...wording,
    ...(same && (await originOf(reads, pages.get(same)!.pageIds))),
  });
  const own = skip < 0 ? -1 : await reads.currentVersion(skip);
  const areCopies = await Promise.all(
    Array.from(
      pages,
      async ([fold, { pageIds }]) => pageIds.length > 0 && (fold.isSame || judge.isCopy(fold, pageIds)),
    ),
  );
  const found: FoundCopy[] = [];
  let unlistedCount = 0;
  for (const [i, [fold, { pageIds, moreCount }]] of [...pages].entries()) {
    if (!areCopies[i]) continue;
    const { shared, ofA, ofB } = fold.overlap;
    const figure = fold.isSame ? { shared: 1, total: 1 } : storedFraction(shared, ofA + ofB - shared);
    for (const pageId of pageIds) if (pageId !== skip) found.push({ pageId, ...figure });
    unlistedCount += moreCount;
    // It is no copy of itself, wherever it stands.
    if (moreCount > 0 && fold.versionIds.includes(own) && !pageIds.includes(skip)) unlistedCount--;
  }
  // Whether a wording is a copy is judged by the languages of the pages that were read.
  const isCut = [...pages.values()].some(({ moreCount }) => moreCount > 0);
  return { span: spanOf(found), complete: complete && !isCut, leftOutCount: leftOutCount + unlistedCount };
}

/** The versions that may be copies, by their sets of shingles. */
export async function foldsOf(
  { reads, parameters }: CopySource,
  wording: Wording,
  versionIds: Uint32Array,
  ignored: Float64Array,
): Promise<Map<string, Fold>> {
  const folds = new Map<string, Fold>();
  const join = joinOptionsOf(parameters);
  // All of an index do not stand in memory together.
  for (let from = 0; from < versionIds.length; from += MAX_COMPARED) {
    const some = versionIds.subarray(from, from + MAX_COMPARED);
    const sketches = await Promise.all(Array.from(some, (versionId) => reads.sketch(versionId)));
    for (const [i, { sketch: whole, shingleDigest }] of sketches.entries()) {
      const known = folds.get(shingleDigest);
      if (known !== undefined) {
        known.versionIds.push(some[i]!);
        continue;
      }
      const sketch = sketchWithout(whole, ignored);
      const overlap = overlapOf(wording.sketch, sketch);
      const isSame = sketch.shingleCount > 0 && shingleDigest === wording.shingleDigest;
      const limits = { limitOfA: wording.sketch.limit, limitOfB: sketch.limit };
      if (!isSame && !reachesThreshold({ ...overlap, ...limits }, join)) continue;
      folds.set(shingleDigest, { sketch, overlap, isSame, versionIds: [some[i]!] });
    }
  }
  return folds;
}

/** Pages that read now as one of some versions, ascending. */
export async function currentPages(reads: Reads, versionIds: readonly number[]): Promise<CurrentPages> {
  const parts = await Promise.all(versionIds.map((versionId) => reads.currentPages(versionId, MAX_LISTED)));
  const pageIds = parts.flatMap((part) => part.pageIds).sort((a, b) => a - b);
  const moreCount = parts.reduce((sum, part) => sum + part.moreCount, 0);
  return {
    pageIds: pageIds.slice(0, MAX_LISTED),
    moreCount: moreCount + Math.max(0, pageIds.length - MAX_LISTED),
  };
}

/** Where the pages of a fold are from, as a build takes it: the host of the first, the language that all declare. */
export async function originOf(
  reads: Reads,
  pageIds: readonly number[],
): Promise<Pick<Wording, 'host' | 'lang'> | undefined> {
  if (pageIds.length === 0) return undefined;
  const heads = await reads.heads(pageIds);
  const [first] = heads as [Head];
  return {
    host: hostOf(first.url),
    lang: heads.every(({ lang }) => lang === first.lang) ? first.lang : null,
  };
}

/** The second opinions of `join/copies/pair-checks.ts`. */
class Judge {
  readonly #source: CopySource;
  readonly #wording: Wording;
  readonly #marks = new Map<string, MarkedSketch>();

  constructor(source: CopySource, wording: Wording) {
    this.#source = source;
    this.#wording = wording;
  }

  /** A wording of no known host is taken as one of the other's. */
  async isCopy({ sketch, overlap, versionIds }: Fold, pageIds: readonly number[]): Promise<boolean> {
    const { parameters, reads } = this.#source;
    const { lang, simhash } = this.#wording;
    const join = joinOptionsOf(parameters);
    const other = (await originOf(reads, pageIds))!;
    if (parameters.language_check && lang !== null && other.lang !== null && other.lang !== lang)
      return false;
    const host = other.host!;
    const ownHost = this.#wording.host ?? host;
    const template = await this.#sharedTemplate(sketch, ownHost, host);
    const limits = { limitOfA: this.#wording.sketch.limit, limitOfB: sketch.limit };
    if (!isCopy({ ...overlap, template, ...limits }, join)) return false;
    const { shared, ofA, ofB } = overlap;
    const all = ofA + ofB - shared;
    const isNear = reachesShare(shared, all, join.threshold) && !reachesShare(shared, all, parameters.sure);
    const isDoubted = isNear && ownHost === host;
    if (!isDoubted || simhash === null) return true;
    const words = (await reads.version(versionIds[0]!)).simhash;
    return words === null || simhashAgreement(simhash, words) >= parameters.same_site_agreement;
  }

  async #sharedTemplate(sketch: ShingleSketch, ownHost: string, host: string): Promise<number> {
    const [own, other] = await Promise.all([
      templateOf(this.#source, ownHost),
      templateOf(this.#source, host),
    ]);
    if (own.length === 0 || other.length === 0) return 0;
    const { template_minimum_keys: minimumKeys } = this.#source.parameters;
    const marks = keptIn(this.#marks, ownHost, () => markSketch(this.#wording.sketch, own, minimumKeys));
    return sharedTemplate(marks, markSketch(sketch, other, minimumKeys));
  }
}

/** As lists of neighbors are: nearest first, ties by page id. */
export function spanOf(found: FoundCopy[]): NeighborSpan {
  found.sort((x, y) => y.shared * x.total - x.shared * y.total || x.pageId - y.pageId);
  return allOf(plainList(found.map(({ pageId, ...figures }) => ({ id: pageId, ...figures }))));
}
