import { climb } from '../../evaluate/climb.ts';
import { precisionAt } from '../../evaluate/precision.ts';
import { partChanges } from '../../features/part-changes.ts';
import { PARTS, type Part, type PartShares, usedShares } from '../../features/parts.ts';
import type { Weighing } from '../../features/weigh.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import { countPages } from '../../indexer/tune/count-pages.ts';
import { listsOfBags } from '../../indexer/tune/lists-of-bags.ts';
import { meanInterval } from '../../lib/mean-interval.ts';
import { Random } from '../../lib/random.ts';
import { TOPIC_PROFILES, topicRecipe } from '../../relations/topic.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { samplePages } from '../evaluate/sampled-overlaps.ts';
import type { Judge } from './judges.ts';
import type { TuneReport } from './tune-report.ts';

/** Pages of each list that are judged. */
const K = 10;
const MOST_STEPS = 5;
/** How else counts could become weights. */
const OTHER_WEIGHINGS: readonly { readonly name: string; readonly weighing: Partial<Weighing> }[] = [
  { name: 'sqrt(tf) in place of tf^.75', weighing: { tf: 'sqrt' } },
  { name: 'idf of rare words not flattened', weighing: { idf: 'plain' } },
];
/** Of P@10: what is less is lost among other differences of judges. */
const LEAST_GAIN = 0.005;

interface TuneOptions {
  readonly sampleSize: number;
  readonly seed: number;
}

/** What `akin tune` reports: what each change of the parts gains among the judged pages of an index. */
export async function tuneIndex(
  reader: IndexReader,
  judge: Judge,
  build: BuildOptions,
  { sampleSize, seed }: TuneOptions,
  listener: BuildListener,
): Promise<TuneReport> {
  const startedAt = performance.now();
  const sample = samplePages(judge.pages, sampleSize, seed);
  const pageOf = new Map(sample.map((page) => [reader.page(page).url, page]));
  const { pages, urls } = await countPages(build, new Set(pageOf.keys()), listener);
  const ids = urls.map((url) => pageOf.get(url)!);
  const profile = TOPIC_PROFILES[build.profile];
  const available = pages.parts.filter((_, part) => pages.partPageCounts[part]! > 0);
  const isMissing = (part: Part) => !available.includes(part);
  const scoresOf = (shares: PartShares, rank: 'votes' | 'similarity', weighing: Partial<Weighing> = {}) => {
    const bags = pages.bags({ ...topicRecipe(profile, shares), ...weighing });
    const { neighborLimit, floor } = build;
    const lists = listsOfBags(bags, { neighborLimit, floor, rank, length: K });
    return Float64Array.from(lists, (list, query) =>
      precisionAt(
        Array.from(list, (other) => (judge.isRelated(ids[query]!, ids[other]!) ? 1 : 0)),
        K,
      ),
    );
  };
  const start = usedShares(build.parts, isMissing);
  const random = new Random(seed);
  const isTuned = Array.from(ids, () => random.below(2) === 0);
  const outcome = climb(start, {
    changesOf: (shares) =>
      partChanges(shares, available).map((change) => ({ name: change.name, setting: change.shares })),
    scoresOf: (shares) => scoresOf(shares, profile.rank),
    isTuned: (query) => isTuned[query]!,
    mostSteps: MOST_STEPS,
    leastGain: LEAST_GAIN,
  });
  const now = scoresOf(start, profile.rank);
  const gainOver = (base: Float64Array, scores: Float64Array) =>
    meanInterval(scores.map((score, query) => score - base[query]!));
  return {
    index: { path: reader.path, generation: reader.generation },
    judge: judge.name,
    judgedPageCount: judge.pages.length,
    sampleCount: ids.length,
    seed,
    k: K,
    missingParts: pages.parts.filter(isMissing),
    partsNotKept: PARTS.filter((part) => !pages.parts.includes(part)),
    start,
    votes: gainOver(scoresOf(start, 'similarity'), scoresOf(start, 'votes')),
    smoothing: OTHER_WEIGHINGS.map(({ name, weighing }) => ({
      name,
      gain: gainOver(now, scoresOf(start, profile.rank, weighing)),
    })),
    ...outcome,
    durationMs: performance.now() - startedAt,
  };
}
