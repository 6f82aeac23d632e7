/** What a thread of its own does for a command, by name; loaded where it is done. */
import type { BuildReport } from './build-report.ts';
import type { BuildListener } from './files/stage-runner.ts';
import type { BuildOptions } from './options/build-options.ts';
import type { SplitOptions, SplitReport } from './shards/split-index.ts';

export interface LongWork {
  readonly build: { readonly options: BuildOptions; readonly report: BuildReport };
  readonly split: { readonly options: SplitOptions; readonly report: SplitReport };
}

type Work<Name extends keyof LongWork> = (
  options: LongWork[Name]['options'],
  listener: BuildListener,
) => Promise<LongWork[Name]['report']>;

export const LONG_WORK: { readonly [Name in keyof LongWork]: Work<Name> } = {
  build: async (options, listener) => (await import('./build-index.ts')).buildIndex(options, listener),
  split: async (options, listener) => (await import('./shards/split-index.ts')).splitIndex(options, listener),
};
