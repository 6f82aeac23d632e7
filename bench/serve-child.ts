/** A server in a process of its own, and what it takes. */
import { fork } from 'node:child_process';
import { readFileSync, utimesSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/service/app.ts';

interface Start {
  readonly port: number;
  /** Until it answers, and until what look-ups need is in memory. */
  readonly openSeconds: number;
  readonly wholeSeconds: number;
  readonly longestPauseMs: number;
}

type Order = 'memory' | 'swap' | 'rest';

export interface ServerProcess extends Start {
  /** Private memory of the process. */
  memoryBytes(): Promise<number>;
  /** Takes up the index anew, as if another stood at its path; the longest time that this held up the event loop. */
  swap(): Promise<number>;
  /** The longest time that the event loop was held up meanwhile, for as long as the last swap took. */
  rest(): Promise<number>;
  stop(): void;
}

/** A server of an index, which takes so many pages; 0 for none. */
export function startServer(indexPath: string, maxPending = 0): Promise<ServerProcess> {
  const child = fork(fileURLToPath(import.meta.url), [indexPath, String(maxPending)]);
  const answer = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
    });
  const order = (what: Order) => {
    child.send(what);
    return answer<number>();
  };
  return answer<Start>().then((start) => ({
    ...start,
    memoryBytes: () => order('memory'),
    swap: () => order('swap'),
    rest: () => order('rest'),
    stop: () => child.kill(),
  }));
}

async function serve(indexPath: string, maxPending: number): Promise<void> {
  const pauses = monitorEventLoopDelay({ resolution: 1 });
  pauses.enable();
  const startedMs = performance.now();
  const never = { share: 2, waitMs: Number.MAX_SAFE_INTEGER, run: async () => false };
  const live = maxPending === 0 ? null : { maxPending, maxPendingBytes: 2 ** 30, ...never };
  const app = await buildApp({ indexPath, pollMs: 0, live });
  const openSeconds = (performance.now() - startedMs) / 1000;
  await app.holder.current().whole;
  const wholeSeconds = (performance.now() - startedMs) / 1000;
  pauses.disable();
  let swapMs = 0;
  const longestPause = async (run: () => Promise<unknown>) => {
    pauses.reset();
    pauses.enable();
    await run();
    // What the old generation leaves behind is part of it.
    await delay(100);
    pauses.disable();
    return pauses.max / 1e6;
  };
  const swap = async () => {
    utimesSync(indexPath, new Date(), new Date());
    const fromMs = performance.now();
    await app.holder.check();
    swapMs = performance.now() - fromMs;
  };
  const answers: Record<Order, () => number | Promise<number>> = {
    memory: privateMemoryBytes,
    swap: () => longestPause(swap),
    rest: () => longestPause(() => delay(swapMs)),
  };
  process.on('message', async (order: Order) => process.send!(await answers[order]()));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const longestPauseMs = pauses.max / 1e6;
  process.send!({ port, openSeconds, wholeSeconds, longestPauseMs } satisfies Start);
}

/** Linux tells it; elsewhere all resident memory. */
function privateMemoryBytes(): number {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

if (process.send !== undefined && import.meta.main) await serve(process.argv[2]!, Number(process.argv[3]));
