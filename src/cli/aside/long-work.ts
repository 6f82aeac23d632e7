/** What a thread of its own does for a command, by name; loaded where it is done. */
import type { BuildReport } from '../../indexer/build-report.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import type { PairJoin } from '../../indexer/relate/stored-pairs.ts';
import type { PairReport } from '../../indexer/relate/threshold-pairs.ts';
import type { SplitOptions, SplitReport } from '../../indexer/shards/split-index.ts';
import type { InjectOptions, InjectReport } from '../../library/site/inject.ts';
import type { TuneReport } from '../tune/tune-report.ts';
import type { TuneOrder } from '../tune/tune-work.ts';

export interface LongWork {
  readonly build: { readonly options: BuildOptions; readonly report: BuildReport };
  readonly changeShards: { readonly options: BuildOptions; readonly report: BuildReport };
  readonly split: { readonly options: SplitOptions; readonly report: SplitReport };
  readonly tune: { readonly options: TuneOrder; readonly report: TuneReport };
  readonly inject: {
    readonly options: { readonly folder: string; readonly options: InjectOptions };
    readonly report: InjectReport;
  };
  readonly pairs: { readonly options: PairJoin; readonly report: PairReport };
}

type Work<Name extends keyof LongWork> = (
  options: LongWork[Name]['options'],
  listener: BuildListener,
) => Promise<LongWork[Name]['report']>;

export const LONG_WORK: { readonly [Name in keyof LongWork]: Work<Name> } = {
  build: async (options, listener) =>
    (await import('../../indexer/build-index.ts')).buildIndex(options, listener),
  changeShards: async (options, listener) =>
    (await import('../../indexer/change-shards.ts')).changeShards(options, listener),
  split: async (options, listener) =>
    (await import('../../indexer/shards/split-index.ts')).splitIndex(options, listener),
  tune: async (options, listener) => (await import('../tune/tune-work.ts')).tune(options, listener),
  inject: async ({ folder, options }, listener) => {
    const { injectFolder } = await import('../../library/site/inject.ts');
    return injectFolder(folder, { ...options, on: listener });
  },
  pairs: async (options) => (await import('../../indexer/relate/stored-pairs.ts')).joinStoredPairs(options),
};
