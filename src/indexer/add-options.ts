import { InputError } from '../errors.ts';
import type { CopyParameters } from '../relations/copy.ts';
import type { IndexReader } from '../store/reader.ts';
import type { BagChoice, BuildInput, BuildOptions } from './build-options.ts';

/** What a change of an index is told; all else is as the index was built. */
export interface ChangeOptions {
  /** The index to change. */
  readonly target: string;
  /** Budget of the buffers of extraction and of the joins. Default 1 GiB, min 64 MiB. */
  readonly memoryBytes: number;
  readonly workerCount: number;
}

export interface AddOptions extends ChangeOptions {
  readonly inputs: readonly BuildInput[];
  /** Null: `sweep-N`, counted on. */
  readonly sweepName: string | null;
}

/** The options of a build that gives features and sketches as those of an index. */
export interface StoredOptions extends BuildOptions {
  /** Generation that is changed: a killed change goes on only while it stands. */
  readonly onto: string;
  /** What is done to it, where the inputs do not say. */
  readonly change: readonly string[];
}

/** Parameters that `akin index` stores, under the names of indexer/write/fill-index.ts. */
interface StoredParameters {
  readonly bag: BagChoice;
  readonly stop_words: readonly string[] | null;
  readonly window_words: number;
  readonly min_page_count: number;
  readonly max_page_share: number;
  readonly seed: number;
  readonly pairs?: unknown;
  readonly cluster_similarity: number;
  readonly max_page_bytes: number;
  readonly copy?: CopyParameters;
}

/**
 * Errors  InputError AKIN_ERR_OPTION for a sweep name that is taken, and for an index whose similarities are
 *         estimates: those are of pairs found by chance over all pages, which no part of them can renew.
 */
export function storedOptions(
  reader: IndexReader,
  { target, memoryBytes, workerCount }: ChangeOptions,
  { inputs, sweepName }: Pick<AddOptions, 'inputs' | 'sweepName'>,
  change: readonly string[] = [],
): StoredOptions {
  const stored = reader.card().parameters as unknown as StoredParameters;
  const topic = reader.relation('topic')!;
  if (topic.measure !== 'exact') {
    throw new InputError(
      'AKIN_ERR_OPTION',
      `${target} has the profile ${topic.profile}, which cannot be changed`,
      {
        hint: 'build it again over all its input: akin index INPUT... --to FILE',
      },
    );
  }
  if (stored.pairs !== undefined) {
    throw new InputError(
      'AKIN_ERR_OPTION',
      `${target} was built with --pairs, which only a full build can renew`,
      {
        hint: 'build it again over all its input: akin index INPUT... --to FILE',
      },
    );
  }
  const sweeps = reader.sweeps();
  const name = sweepName ?? `sweep-${(sweeps.at(-1)?.id ?? 0) + 1}`;
  if (inputs.length > 0 && sweeps.some((sweep) => sweep.name === name)) {
    throw new InputError('AKIN_ERR_OPTION', `${target} has a sweep ${name} already`, {
      hint: 'give another name: --sweep NAME',
    });
  }
  const { copy } = stored;
  return {
    inputs,
    target,
    sweepName: name,
    profile: 'akin',
    bag: stored.bag,
    memoryBytes,
    workerCount,
    maxPageBytes: stored.max_page_bytes,
    stopWords: stored.stop_words === null ? null : stored.stop_words.join('\n'),
    windowWords: stored.window_words,
    minPageCount: stored.min_page_count,
    maxPageShare: stored.max_page_share,
    neighbourLimit: topic.neighbourLimit,
    floor: topic.floor,
    targetRecall: 1,
    pairSimilarity: null,
    clusterSimilarity: stored.cluster_similarity,
    filterBytes: 3,
    filterValues: 80,
    seed: stored.seed,
    copies: copy !== undefined,
    copyProfile: copy?.profile ?? 'akin',
    shingleSize: copy?.shingle_size ?? 10,
    copySimilarity: copy?.threshold ?? 0.5,
    copyClusterings: reader.card().copyClusterings.map((clustering) => clustering.name),
    copyJoin: copy?.join ?? 'shingles',
    keepText: copy?.text ?? false,
    sameSiteBits: copy?.same_site_agreement ?? 0,
    templateFilter: copy?.template_filter ?? false,
    onto: reader.generation,
    change,
  };
}
