import { receivedError, type SentError } from '../../errors.ts';
import type { BuildListener } from '../../indexer/files/stage-runner.ts';
import { THREAD_LIMITS, ThreadEndError } from '../../indexer/files/threads/thread.ts';
import { SqliteThread } from '../../store/sqlite-thread.ts';
import { LONG_WORK, type LongWork } from './long-work.ts';

/** Below this the work takes no longer than a thread takes to start. */
const SMALL_BYTES = 4 * 2 ** 20;

export interface AsideSeat {
  readonly name: keyof LongWork;
  readonly options: LongWork[keyof LongWork]['options'];
}

/** What the thread says: what its listener would hear, and how it ended. */
export type AsideNews =
  | {
      [Event in keyof BuildListener]: { event: Event; given: Parameters<BuildListener[Event]> };
    }[keyof BuildListener]
  | { readonly report: LongWork[keyof LongWork]['report'] }
  | { readonly error: SentError };

/**
 * Does work with the event loop of the caller free, so that it hears signals whatever stage the work is at. A process
 * that exits ends the work with it.
 *
 * Shape   bytes: of what is read; null where that is not known.
 * Errors  those of the work; ThreadEndError where the thread ran out of memory.
 */
export async function aside<Name extends keyof LongWork>(
  name: Name,
  options: LongWork[Name]['options'],
  bytes: number | null,
  isPiped: boolean,
  listener: BuildListener,
): Promise<LongWork[Name]['report']> {
  if (bytes !== null && bytes < SMALL_BYTES) return LONG_WORK[name](options, listener);
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const seat: AsideSeat = { name, options };
  const thread = new SqliteThread(new URL(`./aside-thread.${extension}`, import.meta.url), seat, {
    stdin: isPiped,
    resourceLimits: THREAD_LIMITS,
  });
  if (isPiped) process.stdin.pipe(thread.stdin!);
  try {
    return await new Promise<LongWork[Name]['report']>((resolve, reject) => {
      thread.on('message', (news: AsideNews) => {
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

function tell(listener: BuildListener, { event, given }: Extract<AsideNews, { event: unknown }>): void {
  (listener[event] as (...given: unknown[]) => void)(...given);
}
