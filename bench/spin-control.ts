/** How much processor two threads really get here: a bench of two threads says it beside its figures. */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker } from 'node:worker_threads';
import { round } from './bench.ts';

const TURNS = 5e8;
const TRIES = 3;

/** 2 on two free cores; below 1.8 the machine is shared and two threads cannot show what they can do. */
export async function processorsForTwoThreads(): Promise<number> {
  const ratios: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    const oneMs = await spinMs(1);
    ratios.push((2 * oneMs) / (await spinMs(2)));
  }
  return round(ratios.sort((a, b) => a - b)[TRIES >> 1]!, 2);
}

async function spinMs(threads: number): Promise<number> {
  const startedMs = performance.now();
  const ends = Array.from({ length: threads }, () => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: 'spin' });
    return new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  });
  await Promise.all(ends);
  return performance.now() - startedMs;
}

function spin(): number {
  let state = 1;
  for (let i = 0; i < TURNS; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  return state;
}

if (!isMainThread) process.exitCode = spin() & 0;
