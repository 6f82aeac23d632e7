import { EXIT } from '../exit-code.ts';

/** Runs `work`; where a signal comes before its end, calls `onStop` and ends the process. */
export async function stoppable<Result>(onStop: () => void, work: () => Promise<Result>): Promise<Result> {
  const stop = (signal: NodeJS.Signals) => {
    onStop();
    process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work();
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
