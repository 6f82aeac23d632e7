import { buildIndex } from '../src/indexer/build-index.ts';
import type {
  BagChoice,
  BuildInput,
  BuildListener,
  BuildOptions,
  BuildReport,
  ProfileName,
} from '../src/indexer/build-options.ts';
import { TOPIC_PROFILES } from '../src/relations/topic.ts';

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

/** An index with every setting at its default but those given. */
export function buildOne(build: BenchBuild): Promise<BuildReport> {
  const profile = build.profile ?? 'akin';
  const { neighbourLimit, floor, clusterSimilarity, signature } = TOPIC_PROFILES[profile];
  const options: BuildOptions = {
    inputs: [{ baseUrl: null, format: null, ...build.input }],
    target: build.target,
    sweepName: 'bench',
    profile,
    bag: build.bag ?? 'all',
    memoryBytes: build.memoryBytes ?? 2 ** 30,
    workerCount: build.workerCount ?? 2,
    maxPageBytes: 10 * 2 ** 20,
    stopWords: null,
    windowWords: 8,
    minPageCount: 2,
    maxPageShare: 0.3,
    neighbourLimit: build.neighbourLimit ?? neighbourLimit,
    floor,
    clusterSimilarity,
    filterBytes: 3,
    filterValues: signature?.m ?? 80,
    seed: 1,
    copies: true,
    copyProfile: 'akin',
    shingleSize: 10,
    copySimilarity: 0.5,
    keepText: true,
    templateFilter: true,
  };
  return buildIndex(options, SILENT);
}
