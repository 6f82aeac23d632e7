import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Budget, divideMemory } from '../../../src/indexer/files/budget.ts';

/** Bytes of each part of 64 MiB: a table of its own, in MiB. */
const MIB_OF_64: { readonly [Step in keyof Budget]: { readonly [Part in keyof Budget[Step]]: number } } = {
  extract: { records: 4, forms: 4, linkUrls: 4 },
  collapse: { buckets: 16 },
  bucket: { input: 4 },
  linkRows: { links: 16 },
  frequencies: { tables: 16 },
  names: { forms: 16 },
  neighbors: { join: 64 },
  pairs: { pages: 32, found: 16, compared: 16 },
  exactPairs: { pages: 32, found: 16, postings: 16 },
  printedPairs: { found: 16 },
  copies: { join: 24 },
  beside: { join: 32, tables: 24 },
  write: { bags: 32, tables: 24 },
  search: { words: 24 },
  tables: { bags: 16, lists: 8 },
};

for (const memoryMib of [64, 100, 512, 1024, 4096, 1 << 20]) {
  test(`of ${memoryMib} MiB each part has its share, and what lives together is at most all of it`, () => {
    const budget = divideMemory(memoryMib * 2 ** 20);
    assert.deepEqual(Object.keys(budget), Object.keys(MIB_OF_64));
    for (const [step, parts] of Object.entries(MIB_OF_64)) {
      const expected = Object.entries(parts).map(([part, mib]) => [part, (mib * memoryMib * 2 ** 20) / 64]);
      const found = budget[step as keyof Budget];
      assert.deepEqual(found, Object.fromEntries(expected), step);
      const sum = Object.values(found).reduce((total, bytes) => total + bytes, 0);
      assert.ok(sum <= memoryMib * 2 ** 20, step);
    }
    // The tables that are written beside something else stay within what that leaves them.
    for (const step of ['write', 'beside'] as const) {
      assert.equal(budget.tables.bags + budget.tables.lists, budget[step].tables);
      assert.ok(Math.max(budget.copies.join, budget.search.words) <= budget[step].tables);
    }
  });
}
