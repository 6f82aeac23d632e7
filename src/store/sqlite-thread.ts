/**
 * Threads of the package, all of which use SQLite. A thread that is ended while it loads native code ends the process with
 * it, by an abort: whoever ends one, and a process that exits, waits until that is done.
 */
import { Worker, type WorkerOptions, workerData } from 'node:worker_threads';
import { loadSqlite } from './database.ts';

/** Where a thread begins: it runs the file whose URL is its argument, and finds what that imports by names alone. */
const ENTRY = new URL('../../bin/thread.js', import.meta.url);

/** For threads to load SQLite while the process exits. */
const LOAD_LIMIT_MS = 10_000;

interface Seat<Data> {
  readonly data: Data;
  /** Int32Array(1): 1 once this thread has loaded SQLite, or has ended. */
  readonly hasLoaded: Int32Array;
  /** Int32Array(1): how many threads of the process have not. */
  readonly loadingCount: Int32Array;
}

/** Null in the first thread. */
const own = workerData as Seat<unknown> | null;
const loadingCount = own?.loadingCount ?? new Int32Array(new SharedArrayBuffer(4));
let waitsAtExit = false;

export class SqliteThread extends Worker {
  readonly #hasLoaded: Int32Array;

  /** `file` begins with `startThread`. */
  constructor(file: URL, data: unknown, options: Omit<WorkerOptions, 'argv' | 'workerData'> = {}) {
    const hasLoaded = new Int32Array(new SharedArrayBuffer(4));
    const seat: Seat<unknown> = { data, hasLoaded, loadingCount };
    super(ENTRY, { ...options, argv: [file], workerData: seat });
    this.#hasLoaded = hasLoaded;
    Atomics.add(loadingCount, 0, 1);
    if (!waitsAtExit) process.once('exit', waitForLoading);
    waitsAtExit = true;
    this.once('exit', () => setLoaded(seat));
  }

  override async terminate(): Promise<number> {
    await Atomics.waitAsync(this.#hasLoaded, 0, 0).value;
    return super.terminate();
  }
}

/** In a thread, before all else: loads SQLite, and gives the data that the thread was made with. */
export function startThread(): unknown {
  loadSqlite();
  const seat = own!;
  setLoaded(seat);
  return seat.data;
}

function setLoaded({ hasLoaded, loadingCount }: Seat<unknown>): void {
  if (Atomics.exchange(hasLoaded, 0, 1) === 1) return;
  Atomics.sub(loadingCount, 0, 1);
  for (const changed of [hasLoaded, loadingCount]) Atomics.notify(changed, 0);
}

function waitForLoading(): void {
  const endMs = performance.now() + LOAD_LIMIT_MS;
  for (;;) {
    const count = Atomics.load(loadingCount, 0);
    const restMs = endMs - performance.now();
    if (count === 0 || restMs <= 0) return;
    Atomics.wait(loadingCount, 0, count, restMs);
  }
}
