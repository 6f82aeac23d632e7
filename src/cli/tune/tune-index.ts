import { climb, type Gain, gainOver } from '../../evaluate/climb.ts';
import { PARTS, type Part, usedShares } from '../../features/parts.ts';
import type { BagRecipe } from '../../features/weigh.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import { type RowVectors, rowVectors } from '../../indexer/tune/blended-lists.ts';
import { countPages } from '../../indexer/tune/count-pages.ts';
import { ListMaker } from '../../indexer/tune/list-maker.ts';
import type { Rank } from '../../indexer/tune/lists-of-bags.ts';
import { meanInterval } from '../../lib/intervals/mean-interval.ts';
import { chosenVectors, foundVectors, MEANING } from '../../relations/meaning.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../relations/topic.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { samplePages } from '../evaluate/sampled-overlaps.ts';
import { type Judge, K, LEAST_PAGES } from './judge.ts';
import { type Hits, ListScorer } from './list-scorer.ts';
import { changesFrom, kernelChanges } from './tune-changes.ts';
import type { HitGain, TuneReport, TuneSetting } from './tune-report.ts';

const MOST_STEPS = 5;
/** Of the measure of the judge: what is less is lost among other differences of judges. */
const LEAST_GAIN = 0.005;
/** The same of a judge that is no person: those of collections and labels differ by as much. */
const LEAST_OWN_GAIN = 0.01;

/** How else counts could become weights, and lists be ordered. The profile fixes them. */
const FIXED: readonly { readonly name: string; readonly change: Partial<BagRecipe>; readonly rank?: Rank }[] =
  [
    { name: 'order by similarity, no votes', change: {}, rank: 'similarity' },
    { name: 'sqrt(tf) in place of tf^.75', change: { tf: 'sqrt' } },
    { name: 'idf of rare words not flattened', change: { idf: 'plain' } },
    { name: 'few words around links count as many do', change: { halfAnchorWords: 0 } },
    { name: 'weights sum to 800', change: { total: 800 } },
    { name: 'weights sum to 1,600', change: { total: 1600 } },
  ];

/** Shares of the vectors that labels judge. */
const MEANING_SHARES = [0, 0.15, 0.3, 0.5];

/** How much neighbors lend, as labels judge it. */
const LEND_SHARES = [0, 0.1];

/** A row of a page that is known by links alone: related to none. */
const UNREAD = -1;

interface TuneOptions {
  readonly sampleSize: number;
  readonly seed: number;
  /** Others that may object to what the judge finds better. */
  readonly others: readonly Judge[];
}

/** What `akin tune` reports: what each change of the parts gains among the judged pages of an index. */
export async function tuneIndex(
  reader: IndexReader,
  judge: Judge,
  build: BuildOptions,
  { sampleSize, seed, others }: TuneOptions,
  listener: BuildListener,
): Promise<TuneReport> {
  const startedAt = performance.now();
  const judges = [judge, ...others];
  const sample = samplePagesOf(judge, sampleSize, seed);
  const pageOf = new Map(sample.map((page) => [reader.page(page).url, page]));
  const texts = judges
    .flatMap((one) => [...(one.texts ?? [])])
    .filter(([page]) => pageOf.has(reader.page(page).url));
  const wanted = {
    pages: new Set(pageOf.keys()),
    // Lists of an index hold them too.
    unreadShare: sample.length / reader.card().fetchedPageCount,
    seed,
    texts: texts.map(([, text]) => text),
  };
  const { counted, urls, unreadCount } = await countPages(build, wanted, listener);
  const rows = { pages: urls.map((url) => pageOf.get(url) ?? UNREAD), texts: texts.map(([page]) => page) };
  const scorers = judges.map((one) => new ListScorer(one, rows));
  const halves = scorers[0]!.halves(seed);
  const { parts, partPageCounts } = counted;
  const isMissing = (part: Part) => !(partPageCounts[parts.indexOf(part)]! > 0);
  const start: TuneSetting = {
    parts: usedShares(build.parts, isMissing),
    kernel: build.kernel,
    meaningShare: build.meaningShare,
    meaningVectors: build.meaningVectors,
    lend: build.lend,
  };
  const profile = TOPIC_PROFILES[build.profile];
  const { neighborLimit, floor, workerCount } = build;
  const vectors = vectorsOf(reader, build, [...rows.pages, ...texts.map(() => UNREAD)]);
  const work = { counted, pageCount: urls.length, neighborLimit, floor, vectors };
  const isByPrecision = judge.measure === 'precision';
  const maker = new ListMaker(work, workerCount, (lists) => ({
    scores: scorers.map((scorer) => scorer.scores(lists)),
    hits: isByPrecision ? scorers[0]!.hits(lists) : null,
  }));
  const listsUnder = ({ parts, kernel, meaningShare, lend }: TuneSetting, change: Partial<BagRecipe> = {}) =>
    maker.under({ recipe: { ...topicRecipe(profile, parts), ...change }, kernel, meaningShare, lend });
  /** By judge. */
  const scoresOf = async (setting: TuneSetting, change: Partial<BagRecipe> = {}, rank = profile.rank) =>
    (await listsUnder(setting, change)).scores.map((scores) => scores[rank]);
  /** What a setting gains in hits, on the half that is held out; nothing is said where no precision is judged. */
  const hitGains = async (setting: TuneSetting): Promise<HitGain[]> => {
    const [from, to] = (await Promise.all([listsUnder(start), listsUnder(setting)])).map(
      ({ hits }) => hits?.[profile.rank],
    );
    if (from === undefined || to === undefined) return [];
    const gain = (of: keyof Hits) =>
      meanInterval(halves.heldOut.map((query) => to[of][query]! - from[of][query]!));
    return [
      { measure: 'P@1', gain: gain('first') },
      { measure: `hit@${K}`, gain: gain('any') },
    ];
  };
  const [otherKernel] = kernelChanges(start);
  // Of what means the same people alone are a judge: links and folders go by words, too.
  const isByLabels = judge.name === 'labels';
  const shares = vectors !== null && isByLabels ? MEANING_SHARES : [];
  const lends = isByLabels ? LEND_SHARES : [];
  try {
    const outcome = await climb(start, {
      changesOf: (setting) =>
        changesFrom(setting, { parts: parts.filter((part) => !isMissing(part)), shares, lends }),
      scoresOf: async (setting) => (await scoresOf(setting))[0]!,
      halves,
      mostSteps: MOST_STEPS,
      leastGain: judge.name === 'labels' ? LEAST_GAIN : LEAST_OWN_GAIN,
    });
    const now = await scoresOf(start);
    const best = await scoresOf(outcome.best);
    const seconds = others
      .map((other, i) => ({
        judge: other.name,
        measure: other.measure,
        gain: meanInterval(best[i + 1]!.map((score, query) => score - now[i + 1]![query]!)),
      }))
      // The sample may have few pages of one that knows many, or none.
      .filter((_, i) => scorers[i + 1]!.queryCount >= LEAST_PAGES);
    const hits = await hitGains(outcome.best);
    const fixed = FIXED.map(
      async ({ name, change, rank }): Promise<Gain> =>
        gainOver(now[0]!, name, (await scoresOf(start, change, rank))[0]!, halves),
    );
    return {
      index: { path: reader.path, generation: reader.generation },
      judge: judge.name,
      measure: judge.measure,
      judgedPageCount: judge.pages.length,
      queryCount: scorers[0]!.queryCount,
      sampleCount: urls.length,
      unreadCount,
      seed,
      missingParts: parts.filter(isMissing),
      partsNotKept: PARTS.filter((part) => !parts.includes(part)),
      start,
      ...outcome,
      fixed: await Promise.all(fixed),
      seconds,
      hits,
      kernelHits: otherKernel === undefined ? [] : await hitGains(otherKernel.setting),
      isBetter: outcome.isBetter && [...seconds, ...hits].every(({ gain }) => gain.mean >= -gain.margin),
      durationMs: performance.now() - startedAt,
    };
  } finally {
    await maker.close();
  }
}

/** Of each row the vector that lists would go by; null where the index has none. */
function vectorsOf(
  reader: IndexReader,
  { meaningVectors, workerCount }: BuildOptions,
  pages: readonly number[],
): RowVectors | null {
  const found = foundVectors(reader.card().parameters);
  const i = chosenVectors(found, meaningVectors);
  if (i < 0) return null;
  const relation = MEANING.id + i;
  const none = new Int8Array(0);
  const vectors = pages.map((page) => (page < 0 ? none : reader.vectors.get(relation, page).slice()));
  return rowVectors(vectors, found[i]!.dimensions, workerCount);
}

/** Pages that lists hold: those with a right answer first, then other candidates. */
function samplePagesOf({ pages, candidates }: Judge, size: number, seed: number): number[] {
  const judged = samplePages(pages, size, seed);
  const isJudged = new Set(pages);
  const rest = candidates.filter((page) => !isJudged.has(page));
  return [...judged, ...samplePages(rest, size - judged.length, seed)];
}
