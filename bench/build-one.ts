import { buildOptions } from '../src/cli/commands/index.ts';
import { loadConfig } from '../src/cli/config.ts';
import { buildIndex } from '../src/indexer/build-index.ts';
import type {
  BagChoice,
  BuildInput,
  BuildListener,
  BuildOptions,
  BuildReport,
  ProfileName,
} from '../src/indexer/build-options.ts';

export interface BenchBuild {
  readonly input: Pick<BuildInput, 'path'> & Partial<BuildInput>;
  readonly target: string;
  readonly profile?: ProfileName;
  readonly bag?: BagChoice;
  readonly memoryBytes?: number;
  readonly workerCount?: number;
  readonly neighbourLimit?: number;
}

const SILENT: BuildListener = { stageStarted() {}, stageProgress() {}, stageEnded() {}, fault() {} };

/** An index with every setting at the command line's default but those given. */
export function buildOne(build: BenchBuild): Promise<BuildReport> {
  const profile = build.profile ?? 'akin';
  const { config } = loadConfig({ profile }, {});
  const input = { baseUrl: null, format: null, ...build.input };
  const options: BuildOptions = {
    ...buildOptions([], { to: build.target }, config),
    inputs: [input],
    sweepName: 'bench',
    bag: build.bag ?? 'all',
    workerCount: build.workerCount ?? 2,
    ...(build.memoryBytes === undefined ? {} : { memoryBytes: build.memoryBytes }),
    ...(build.neighbourLimit === undefined ? {} : { neighbourLimit: build.neighbourLimit }),
  };
  return buildIndex(options, SILENT);
}
