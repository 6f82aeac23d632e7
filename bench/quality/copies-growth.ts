import assert from 'node:assert/strict';
import { Random } from '../../src/lib/random.ts';
import { componentsOf } from '../../src/lib/union-find.ts';
import type { SketchTable } from '../../src/sketch/sketch-table.ts';
import { keyLimitOf } from '../../src/text/shingle.ts';
import { joinShingles } from '../../test/join/copies/in-memory.ts';
import { round, type Table } from '../bench.ts';

const KEYS = 100;

/** Pages of random keys; every fifth takes 90 of 100 from the page before, so that the two resemble at .82. */
function madeUp(pageCount: number): SketchTable {
  const random = new Random(pageCount);
  const keys = new Float64Array(pageCount * KEYS);
  for (let page = 0; page < pageCount; page++) {
    const own = keys.subarray(page * KEYS, (page + 1) * KEYS);
    const copied = page % 5 === 4 ? 90 : 0;
    own.set(keys.subarray((page - 1) * KEYS, (page - 1) * KEYS + copied));
    for (let i = copied; i < KEYS; i++)
      own[i] = random.below(256) * 2 ** 32 + random.nextUint32() + keyLimitOf(1);
    own.sort();
  }
  return {
    pageCount,
    offsets: Float64Array.from({ length: pageCount + 1 }, (_, page) => page * KEYS),
    keys,
    limits: new Float64Array(pageCount).fill(Number.POSITIVE_INFINITY),
    shingleCounts: new Uint32Array(pageCount).fill(KEYS),
  };
}

export function growthTable(): Table {
  const rows = [10_000, 100_000, 1_000_000].map((pageCount) => {
    const table = madeUp(pageCount);
    const startedMs = performance.now();
    const { pairs, report } = joinShingles(table);
    componentsOf(pageCount, pairs.a, pairs.b);
    const seconds = (performance.now() - startedMs) / 1000;
    assert.ok(pairs.a.length >= 0.995 * (pageCount / 5), 'planted copies are found');
    return [
      pageCount,
      report.entryCount,
      pairs.a.length,
      round(pairs.a.length / (pageCount / 5), 4),
      round(seconds, 2),
      round((1e6 * seconds) / pageCount, 1),
    ];
  });
  return {
    caption: `Growth: join and clusters of made-up pages of ${KEYS} shingles, one in five a copy`,
    columns: ['pages', 'entries sorted', 'pairs', 'share of planted pairs', 'seconds', 'us a page'],
    rows,
  };
}
