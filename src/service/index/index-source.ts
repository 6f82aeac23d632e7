import { statSync } from 'node:fs';
import { rulesPathOf } from '../../store/rules-file.ts';
import type { EmptyAnswers } from '../http/hooks/metrics.ts';
import type { OpenOptions } from '../reads/file/open-file.ts';
import { liveIndex } from '../reads/live/live-index.ts';
import type { SegmentChange } from '../reads/live/segment.ts';
import { openIndex } from '../reads/shards/open-shards.ts';
import type { PeersOrder } from '../reads/shards/peers.ts';
import type { Rules, RulesChange } from '../rules/rules.ts';
import { LIVE_LIMITS, THREAD_LIMITS, type ThreadLimits, Threads } from '../threads/threads.ts';
import { Generation } from './generation.ts';

export interface GenerationOptions {
  /** The file that threads run. */
  readonly worker: URL;
  readonly threadLimits?: Partial<ThreadLimits>;
  /** Work of the longest search that is exact without being asked for, see exactSearchUs(). Default 2,000. */
  readonly exactSearchUs?: number;
  /** Whether pages are taken, which stand in answers before they are in the index. Default false. */
  readonly isLive?: boolean;
  /** As of `OpenFile.open`. */
  readonly preload?: NonNullable<OpenOptions['preload']>;
  /** Where empty answers are counted. Default: in an object of its own. */
  readonly emptyAnswers?: EmptyAnswers;
  /** Of the app, that hold already. Default: those beside the index. */
  readonly rules?: Rules;
}

/** Which index a thread answers for: others may have taken the places of its files. */
export interface ThreadOrder {
  readonly paths: readonly string[];
  /** Instead of files. */
  readonly peers?: PeersOrder;
  readonly generation: string;
  readonly exactSearchUs?: number;
  /** The pages that wait; undefined where none are taken. */
  readonly pending?: SegmentChange;
  /** That hold, whatever stands beside the files by now. */
  readonly rules: RulesChange;
}

/** Where the index that is served comes from. */
export interface IndexSource {
  /** Looks whether it is another by now: changes when it is, '' where there is none. */
  look(): string | Promise<string>;
  /** Where rules of the app are kept; null where there is no file. */
  readonly rulesPath: string | null;
  /** What the last look has seen. Errors  those of `openIndex`. */
  open(options: GenerationOptions): Promise<Generation>;
  /** Numbers of the shards that could not be asked at the last look. */
  lostShards(): readonly number[];
  close(): Promise<void>;
}

/** One index file, or the shards of one index. */
export class IndexFiles implements IndexSource {
  readonly rulesPath: string;
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    this.rulesPath = rulesPathOf(paths[0]!);
  }

  look(): string {
    const identities = this.#paths.map(identityOf);
    return identities.includes('') ? '' : identities.join(' ');
  }

  async open(options: GenerationOptions): Promise<Generation> {
    const opened = await openIndex(this.#paths, options);
    const live = options.isLive === true ? liveIndex(opened) : null;
    const index = live ?? opened;
    const { emptyAnswers, exactSearchUs } = options;
    const order = () => ({
      paths: this.#paths,
      generation: index.facts.id,
      rules: index.facts.rules.change,
      ...(exactSearchUs !== undefined && { exactSearchUs }),
      ...(live !== null && { pending: live.segment.all() }),
    });
    const threads = threadsOf(order, options);
    return new Generation(index, { threads, live, ...(emptyAnswers && { emptyAnswers }) });
  }

  lostShards(): readonly number[] {
    return [];
  }

  async close(): Promise<void> {}
}

export function threadsOf(
  order: () => ThreadOrder,
  { worker, threadLimits, isLive }: GenerationOptions,
  jobsAtATime = 1,
): Threads {
  return new Threads(worker, order, jobsAtATime, {
    ...THREAD_LIMITS,
    ...(isLive && LIVE_LIMITS),
    ...threadLimits,
  });
}

/** Changes when another file takes the place of this one, or this one is written to; '' where there is none. */
function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}
