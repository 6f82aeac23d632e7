import { aside } from '../src/cli/aside/aside.ts';
import { buildOptions } from '../src/cli/build/build-options.ts';
import { loadConfig } from '../src/cli/settings/config.ts';
import { buildIndex } from '../src/indexer/build-index.ts';
import type { BuildReport } from '../src/indexer/build-report.ts';
import type { BuildListener } from '../src/indexer/files/stage-runner.ts';
import type { BuildInput, BuildOptions, ShapingOptions } from '../src/indexer/options/build-options.ts';

type BenchInput = Pick<BuildInput, 'path'> & Partial<BuildInput>;

export interface BenchBuild {
  readonly input: BenchInput | readonly BenchInput[];
  readonly target: string;
  readonly profile?: ShapingOptions['profile'];
  /** As on the command line. */
  readonly parts?: string | undefined;
  readonly kernel?: ShapingOptions['kernel'];
  readonly memoryBytes?: number;
  readonly workerCount?: number;
  readonly neighborLimit?: number;
  readonly copies?: boolean;
  readonly lend?: number;
}

const SILENT: BuildListener = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

/** An index with every setting at the command line's default but those given. */
export function buildOne(build: BenchBuild, listener = SILENT): Promise<BuildReport> {
  return buildIndex(optionsOf(build), listener);
}

/** The same on a thread of its own, as the command line builds what is not small. */
export function buildAside(build: BenchBuild): Promise<BuildReport> {
  return aside('build', optionsOf(build), null, false, SILENT);
}

function optionsOf(build: BenchBuild): BuildOptions {
  const profile = build.profile ?? 'akin';
  const { config } = loadConfig(
    {
      profile,
      ...(build.parts !== undefined && { parts: build.parts }),
      ...(build.kernel !== undefined && { kernel: build.kernel }),
    },
    {},
  );
  const inputs = [build.input].flat().map((input) => ({ baseUrl: null, format: null, ...input }));
  return {
    ...buildOptions([], { to: build.target }, config),
    inputs,
    sweepName: 'bench',
    workerCount: build.workerCount ?? 2,
    ...(build.memoryBytes === undefined ? {} : { memoryBytes: build.memoryBytes }),
    ...(build.neighborLimit === undefined ? {} : { neighborLimit: build.neighborLimit }),
    ...(build.copies === undefined ? {} : { copies: build.copies }),
    ...(build.lend === undefined ? {} : { lend: build.lend }),
  };
}
