import { test } from 'node:test';
import { killAndResume } from './kill.ts';

for (const seed of [1, 2, 3]) {
  test(`a crawl killed twenty times goes on to the same pages, each archived once (seed ${seed})`, (t) =>
    killAndResume(t, 20, 300, seed));
}
