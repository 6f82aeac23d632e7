import { Worker } from 'node:worker_threads';
import { receivedError, type SentError } from '../errors.ts';
import type { BuildReport } from './build-report.ts';
import type { BuildListener } from './files/stage-runner.ts';
import { ThreadEndError } from './files/thread.ts';
import { inputBytes } from './input-bytes.ts';
import type { BuildOptions } from './options/build-options.ts';

/** Below this a build takes no longer than a thread takes to start. */
const SMALL_BYTES = 4 * 2 ** 20;

/** For the thread to load SQLite: a process that ends meanwhile would end by an abort. */
const START_LIMIT_MS = 10_000;

export interface BuildSeat {
  readonly options: BuildOptions;
  /** Int32Array(1): 1 once SQLite is loaded. */
  readonly hasStarted: Int32Array;
}

/** What the thread of a build says: what its listener would hear, and how it ended. */
export type BuildNews =
  | {
      [Event in keyof BuildListener]: { event: Event; given: Parameters<BuildListener[Event]> };
    }[keyof BuildListener]
  | { readonly report: BuildReport }
  | { readonly error: SentError };

/**
 * `buildIndex` with the event loop of the caller free, so that it hears signals whatever stage the build is at. A process
 * that exits ends the build with it.
 *
 * Errors  those of `buildIndex`; ThreadEndError where the thread ran out of memory.
 */
export async function buildAside(options: BuildOptions, listener: BuildListener): Promise<BuildReport> {
  const bytes = inputBytes(options.inputs);
  if (bytes !== null && bytes < SMALL_BYTES) {
    const { buildIndex } = await import('./build-index.ts');
    return buildIndex(options, listener);
  }
  const isPiped = options.inputs.some(({ path }) => path === '-');
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const hasStarted = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL(`./build-thread.${extension}`, import.meta.url), {
    workerData: { options, hasStarted } satisfies BuildSeat,
    stdin: isPiped,
  });
  Atomics.wait(hasStarted, 0, 0, START_LIMIT_MS);
  if (isPiped) process.stdin.pipe(thread.stdin!);
  try {
    return await new Promise<BuildReport>((resolve, reject) => {
      thread.on('message', (news: BuildNews) => {
        if ('event' in news) tell(listener, news);
        else if ('report' in news) resolve(news.report);
        else reject(receivedError(news.error));
      });
      thread.once('error', (cause) => reject(new ThreadEndError(cause, 1, true)));
    });
  } finally {
    if (isPiped) process.stdin.unpipe(thread.stdin!);
    await thread.terminate();
  }
}

function tell(listener: BuildListener, { event, given }: Extract<BuildNews, { event: unknown }>): void {
  (listener[event] as (...given: unknown[]) => void)(...given);
}
