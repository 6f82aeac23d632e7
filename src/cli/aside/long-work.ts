/** What a thread of its own does for a command, by name; loaded where it is done. */
import type { BuildReport } from '../../indexer/build-report.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import type { PairJoin } from '../../indexer/relate/stored-pairs.ts';
import type { PairReport } from '../../indexer/relate/threshold-pairs.ts';
import type { SplitOptions, SplitReport } from '../../indexer/shards/split-index.ts';
import type { TuneReport } from '../tune/tune-report.ts';
import type { TuneOrder } from '../tune/tune-work.ts';

export interface LongWork {
  readonly build: { readonly options: BuildOptions; readonly report: BuildReport };
  readonly addToShards: { readonly options: BuildOptions; readonly report: BuildReport };
  readonly split: { readonly options: SplitOptions; readonly report: SplitReport };
  readonly tune: { readonly options: TuneOrder; readonly report: TuneReport };
  readonly pairs: { readonly options: PairJoin; readonly report: PairReport };
}

type Work<Name extends keyof LongWork> = (
  options: LongWork[Name]['options'],
  listener: BuildListener,
) => Promise<LongWork[Name]['report']>;

export const LONG_WORK: { readonly [Name in keyof LongWork]: Work<Name> } = {
  build: async (options, listener) =>
    (await import('../../indexer/build-index.ts')).buildIndex(options, listener),
  addToShards: async (options, listener) =>
    (await import('../../indexer/add-to-shards.ts')).addToShards(options, listener),
  split: async (options, listener) =>
    (await import('../../indexer/shards/split-index.ts')).splitIndex(options, listener),
  tune: async (options, listener) => (await import('../tune/tune-work.ts')).tune(options, listener),
  pairs: async (options) => (await import('../../indexer/relate/stored-pairs.ts')).joinStoredPairs(options),
};
