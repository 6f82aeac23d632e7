import { test } from 'node:test';
import { killAndResume, stopAndResume } from './kill.ts';

for (const seed of [1, 2, 3]) {
  test(`a crawl killed twenty times goes on to the same pages, each archived once (seed ${seed})`, (t) =>
    killAndResume(t, 20, 300, seed));
}

for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  test(`on ${signal} a crawl finishes what it fetches, says how to go on, and goes on with nothing fetched twice`, (t) =>
    stopAndResume(t, signal, code));
}
