/** How the process ends: exit codes and signals. */
import { AkinError, type ErrorCode } from '../../errors.ts';

/** Exit codes for scripts; `akin --help` prints this list. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  input: 3,
  notIndexed: 4,
  index: 5,
  transient: 6,
  interrupted: 130,
  terminated: 143,
} as const;

export const EXIT_HELP = `Exit codes:
  0    done
  1    unexpected failure (please report it)
  2    wrong usage or setting
  3    an input is missing or cannot be used
  4    the page or cluster is not in the index
  5    the index is damaged, made by a newer akin, or not an index
  6    temporary system error (disk full, file in use): try again later
  130  interrupted (Ctrl-C); 143 terminated`;

const BY_CODE: Readonly<Record<ErrorCode, number>> = {
  AKIN_ERR_CONFIG: EXIT.usage,
  AKIN_ERR_OPTION: EXIT.usage,
  AKIN_ERR_INPUT_MISSING: EXIT.input,
  AKIN_ERR_INPUT_UNREADABLE: EXIT.input,
  AKIN_ERR_INPUT_EMPTY: EXIT.input,
  AKIN_ERR_URL: EXIT.input,
  AKIN_ERR_DOCUMENT: EXIT.input,
  AKIN_ERR_PAGE_NOT_INDEXED: EXIT.notIndexed,
  AKIN_ERR_CLUSTER_NOT_FOUND: EXIT.notIndexed,
  AKIN_ERR_NOT_AN_INDEX: EXIT.index,
  AKIN_ERR_INDEX_NEWER: EXIT.index,
  AKIN_ERR_INDEX_CORRUPT: EXIT.index,
  AKIN_ERR_INDEX_BUSY: EXIT.transient,
  AKIN_ERR_SHARDS_LOST: EXIT.transient,
  AKIN_ERR_DISK: EXIT.transient,
  AKIN_ERR_GENERATION_CHANGED: EXIT.transient,
};

const BY_SYSTEM_CODE: Readonly<Record<string, number>> = {
  ENOENT: EXIT.input,
  EISDIR: EXIT.input,
  ENOSPC: EXIT.transient,
  EACCES: EXIT.transient,
  EDQUOT: EXIT.transient,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof AkinError) return BY_CODE[error.code];
  const system = (error as { code?: unknown } | null)?.code;
  return (typeof system === 'string' ? BY_SYSTEM_CODE[system] : undefined) ?? EXIT.unexpected;
}

/** Exit codes by the signal that ends a command. */
export const END_OF = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated } as const;
export type EndSignal = keyof typeof END_OF;

/** Ends the process at a signal that nothing else listens to. The system does so, but for the first process of a container. */
export function endAtSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(END_OF[signal]);
    });
  }
}

/** Calls `take` with the first SIGINT or SIGTERM; a second one, of either kind, ends the process at once. */
export function onFirstSignal(take: (signal: NodeJS.Signals) => void): void {
  const first = (signal: NodeJS.Signals) => {
    process.off('SIGINT', first).off('SIGTERM', first);
    take(signal);
  };
  process.on('SIGINT', first).on('SIGTERM', first);
}

/** Runs `work`. If a signal comes first, calls `onStop` and ends the process. */
export async function stoppable<Result>(onStop: () => void, work: () => Promise<Result>): Promise<Result> {
  const stop = (signal: EndSignal) => {
    onStop();
    process.exit(END_OF[signal]);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Time for the last lines of a log to be read. */
const LAST_LINES_MS = 1000;

/** Where what is left to write is not read, ends the process by the signal that stopped it; that must have no listener any more. */
export function endSoon(signal: NodeJS.Signals): void {
  setTimeout(() => process.kill(process.pid, signal), LAST_LINES_MS).unref();
}
