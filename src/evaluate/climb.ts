/**
 * Finds a better setting by single changes, and says what it gains on queries that had no part in finding it.
 *
 *   queries ─┬─ half that is tuned on: which change gains most? again from there, until none gains beyond doubt
 *            └─ half that is held out: what the outcome gains, with its interval
 *
 * A change that is the best of many by luck is the best on the first half alone; so a gain is claimed only where the
 * interval of the second half lies above 0, and the gain is large enough to matter.
 */
import { type MeanInterval, meanInterval } from '../lib/intervals/mean-interval.ts';

export interface Change<Setting> {
  readonly name: string;
  readonly setting: Setting;
}

/** What a change from the first setting gains, on either half. */
export interface Gain {
  readonly name: string;
  readonly tuned: MeanInterval;
  readonly heldOut: MeanInterval;
}

/** Means of scores on either half. */
interface Halves {
  readonly tuned: number;
  readonly heldOut: number;
}

export interface Climb<Setting> {
  /** Each single change from the first setting. */
  readonly changes: readonly Gain[];
  /** The changes that were made, one upon the other; none where none gains beyond doubt on the half that is tuned on. */
  readonly steps: readonly string[];
  readonly best: Setting;
  /** Of all steps together. */
  readonly gain: Gain;
  /** Whether the held-out half shows the gain, and it is worth a change. */
  readonly isBetter: boolean;
  /** Of the first and of the best setting. */
  readonly before: Halves;
  readonly after: Halves;
  readonly tunedCount: number;
  readonly heldOutCount: number;
}

interface ClimbOptions<Setting> {
  readonly changesOf: (setting: Setting) => readonly Change<Setting>[];
  /** The score of each query under a setting; asked for all changes of a step at once. */
  readonly scoresOf: (setting: Setting) => Promise<Float64Array>;
  readonly halves: QueryHalves;
  readonly mostSteps: number;
  /** A smaller gain on the held-out half is not worth a change. */
  readonly leastGain: number;
}

/** Queries by the half that they are of. */
export interface QueryHalves {
  readonly tuned: readonly number[];
  readonly heldOut: readonly number[];
}

/** What `scores` gain over those of the same queries in `base`. */
export function gainOver(base: Float64Array, name: string, scores: Float64Array, halves: QueryHalves): Gain {
  const differences = scores.map((score, query) => score - base[query]!);
  const { tuned, heldOut } = halves;
  return { name, tuned: meanOf(differences, tuned), heldOut: meanOf(differences, heldOut) };
}

/** Whether a gain lies above 0 beyond doubt. */
function isSure({ mean, margin }: MeanInterval): boolean {
  return mean > margin;
}

export async function climb<Setting>(
  start: Setting,
  options: ClimbOptions<Setting>,
): Promise<Climb<Setting>> {
  const { changesOf, scoresOf, halves, mostSteps, leastGain } = options;
  const first = await scoresOf(start);
  let changes: Gain[] | null = null;
  let best = start;
  let bestScores = first;
  const steps: string[] = [];
  do {
    const tried = await Promise.all(
      changesOf(best).map(async (change) => ({ ...change, scores: await scoresOf(change.setting) })),
    );
    changes ??= tried.map(({ name, scores }) => gainOver(first, name, scores, halves));
    const [next] = tried
      .map((change) => ({ ...change, gain: gainOver(bestScores, change.name, change.scores, halves).tuned }))
      .filter(({ gain }) => isSure(gain))
      .sort((a, b) => b.gain.mean - a.gain.mean);
    if (next === undefined) break;
    steps.push(next.name);
    best = next.setting;
    bestScores = next.scores;
  } while (steps.length < mostSteps);
  const gain = gainOver(first, 'all steps', bestScores, halves);
  const means = (scores: Float64Array) => ({
    tuned: meanOf(scores, halves.tuned).mean,
    heldOut: meanOf(scores, halves.heldOut).mean,
  });
  return {
    changes,
    steps,
    best,
    gain,
    isBetter: steps.length > 0 && isSure(gain.heldOut) && gain.heldOut.mean >= leastGain,
    before: means(first),
    after: means(bestScores),
    tunedCount: halves.tuned.length,
    heldOutCount: halves.heldOut.length,
  };
}

function meanOf(values: Float64Array, queries: readonly number[]): MeanInterval {
  return meanInterval(queries.map((query) => values[query]!));
}
