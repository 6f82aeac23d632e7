import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplePages } from '../../../src/cli/evaluate/sampled-overlaps.ts';

const PAGES = Array.from({ length: 100 }, (_, i) => 3 * i);

test('a sample has the size asked for, different pages in order, and is the same for a seed', () => {
  const sample = samplePages(PAGES, 20, 7);
  assert.equal(sample.length, 20);
  assert.deepEqual(sample, samplePages(PAGES, 20, 7));
  assert.notDeepEqual(sample, samplePages(PAGES, 20, 8));
  assert.ok(sample.every((page, i) => PAGES.includes(page) && (i === 0 || page > sample[i - 1]!)));
  assert.deepEqual(samplePages(PAGES, 1000, 7), PAGES);
});

test('every page is drawn about as often', () => {
  const draws = new Map<number, number>();
  for (let seed = 0; seed < 1000; seed++) {
    for (const page of samplePages(PAGES, 20, seed)) draws.set(page, (draws.get(page) ?? 0) + 1);
  }
  // 200 each, standard deviation 12.6
  for (const page of PAGES) assert.ok(Math.abs(draws.get(page)! - 200) < 60, `${page}: ${draws.get(page)}`);
});
