/**
 * Finds a better setting by single changes, and tells what it gains on queries that had no part in finding it.
 *
 *   queries ─┬─ half that is tuned on: which change gains most? again from there, until none gains beyond doubt
 *            └─ half that is told:     what the outcome gains, with its interval
 *
 * A change that is the best of many by luck is the best on the first half alone; so a gain is claimed only where the
 * interval of the second half lies above 0, and the gain is large enough to matter.
 */
import { type MeanInterval, meanInterval } from '../lib/mean-interval.ts';

export interface Change<Setting> {
  readonly name: string;
  readonly setting: Setting;
}

/** What a change from the first setting gains, on either half. */
export interface Gain {
  readonly name: string;
  readonly tuned: MeanInterval;
  readonly told: MeanInterval;
}

export interface Climb<Setting> {
  /** Each single change from the first setting. */
  readonly changes: readonly Gain[];
  /** The changes that were made, one upon the other; none where none gains beyond doubt on the half that is tuned on. */
  readonly steps: readonly string[];
  readonly best: Setting;
  /** Of all steps together. */
  readonly gain: Gain;
  /** Whether the told half shows the gain, and it is worth a change. */
  readonly isBetter: boolean;
  /** Means of the first and of the best setting, on the half that is told. */
  readonly before: number;
  readonly after: number;
  readonly tunedCount: number;
  readonly toldCount: number;
}

interface ClimbOptions<Setting> {
  readonly changesOf: (setting: Setting) => readonly Change<Setting>[];
  /** The score of each query under a setting. */
  readonly scoresOf: (setting: Setting) => Float64Array;
  /** Whether a query is of the half that is tuned on. */
  readonly isTuned: (query: number) => boolean;
  readonly mostSteps: number;
  /** A smaller gain on the half that is told is not worth a change. */
  readonly leastGain: number;
}

export function climb<Setting>(start: Setting, options: ClimbOptions<Setting>): Climb<Setting> {
  const { changesOf, scoresOf, isTuned, mostSteps, leastGain } = options;
  const first = scoresOf(start);
  const queries = Array.from(first, (_, query) => query);
  const tuned = queries.filter(isTuned);
  const told = queries.filter((query) => !isTuned(query));
  const difference = (scores: Float64Array, base: Float64Array, half: readonly number[]) =>
    meanInterval(half.map((query) => scores[query]! - base[query]!));
  const gainOf = (name: string, scores: Float64Array): Gain => ({
    name,
    tuned: difference(scores, first, tuned),
    told: difference(scores, first, told),
  });
  let changes: Gain[] | null = null;
  let best = start;
  let bestScores = first;
  const steps: string[] = [];
  for (;;) {
    const tried = changesOf(best).map((change) => ({ ...change, scores: scoresOf(change.setting) }));
    changes ??= tried.map(({ name, scores }) => gainOf(name, scores));
    const gains = tried
      .map((change) => ({ ...change, gain: difference(change.scores, bestScores, tuned) }))
      .filter(({ gain }) => gain.mean > gain.margin)
      .sort((a, b) => b.gain.mean - a.gain.mean);
    const next = gains[0];
    if (next === undefined || steps.length === mostSteps) break;
    steps.push(next.name);
    best = next.setting;
    bestScores = next.scores;
    if (steps.length === mostSteps) break;
  }
  const gain = gainOf('all steps', bestScores);
  const mean = (scores: Float64Array) => meanInterval(told.map((query) => scores[query]!)).mean;
  return {
    changes,
    steps,
    best,
    gain,
    isBetter: steps.length > 0 && gain.told.mean > gain.told.margin && gain.told.mean >= leastGain,
    before: mean(first),
    after: mean(bestScores),
    tunedCount: tuned.length,
    toldCount: told.length,
  };
}
