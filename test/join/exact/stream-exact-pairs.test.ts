import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BagMatrix } from '../../../src/features/bag.ts';
import { BAG_ENTRIES } from '../../../src/indexer/files/records/stage-files.ts';
import { workFiles } from '../../../src/indexer/files/work-folder.ts';
import { joinCrew } from '../../../src/indexer/relate/crew/join-crew.ts';
import { EntriesOnDisk, entryFiles } from '../../../src/indexer/weigh/entry-files.ts';
import { streamExactPairs } from '../../../src/join/exact/stream-exact-pairs.ts';
import type { PairColumns } from '../../../src/join/pairs/pair-columns.ts';
import { longTest } from '../../long-test.ts';
import { newFolder } from '../../new-folder.ts';
import { bagOf, bruteForce, randomMatrix } from '../bags.ts';

type ExactPairOptions = Parameters<typeof streamExactPairs>[1];

async function pairsOf(matrix: BagMatrix, options: ExactPairOptions) {
  const rows: number[][] = [];
  const report = await streamExactPairs(matrix, options, ({ a, b, shared, total }: PairColumns) => {
    for (let i = 0; i < a.length; i++) rows.push([a[i]!, b[i]!, shared[i]!, total[i]!]);
  });
  return { rows, report };
}

/** Pairs of pages that are the first with their bags, by brute force. */
function truthOf(matrix: BagMatrix, threshold: number, representative: Uint32Array): number[][] {
  const isFirst = (page: number) => representative[page] === page;
  return Array.from(representative.keys())
    .filter(isFirst)
    .flatMap((a) =>
      bruteForce(bagOf(matrix, a), matrix, threshold)
        .filter(({ id }) => id > a && isFirst(id))
        .sort((x, y) => x.id - y.id)
        .map(({ id, shared, total }) => [a, id, shared, total]),
    );
}

longTest('every pair comes once, in order, whatever the blocks of postings', async () => {
  const cases = fc.record({
    pages: fc.integer({ min: 0, max: 90 }),
    features: fc.integer({ min: 4, max: 160 }),
    threshold: fc.constantFrom(0.1, 0.2, 0.5, 1),
    mostPostings: fc.constantFrom(1, 60, 500, Number.POSITIVE_INFINITY),
    seed: fc.integer(),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ pages, features, threshold, mostPostings, seed }) => {
      const matrix = randomMatrix(pages, features, seed);
      const { rows, report } = await pairsOf(matrix, { threshold, mostPostings });
      assert.deepEqual(rows, truthOf(matrix, threshold, report.representative));
      for (const [page, first] of report.representative.entries()) {
        assert.ok(first === page || (first < page && matrix.sums[page]! > 0));
        assert.deepEqual(bagOf(matrix, first), bagOf(matrix, page));
      }
    }),
    { seed: 9, numRuns: 120 },
  );
});

test('threads, entries and pairs on disk change nothing', async (t) => {
  const matrix = randomMatrix(1200, 300, 12);
  const { rows } = await pairsOf(matrix, { threshold: 0.2 });
  assert.ok(rows.length > 2000, `${rows.length} pairs`);
  const path = newFolder('exact');
  t.after(() => rmSync(path, { recursive: true }));
  const folder = workFiles(path);
  BAG_ENTRIES.write(folder, matrix);
  const files = entryFiles(folder);
  for (const threads of [1, 3]) {
    const runs = mkdtempSync(join(path, 'runs-'));
    const crew = joinCrew(threads, { entries: files, runs: { folder: runs, mostPairs: 300 } });
    const entries = new EntriesOnDisk(files);
    t.after(() => entries.close());
    const bare = { ...matrix, features: new Uint32Array(0), weights: new Uint8Array(0) };
    const found = await pairsOf(bare, { threshold: 0.2, crew, entries, mostPostings: 4000 });
    assert.deepEqual(found.rows, rows);
    assert.equal(found.report.storedRunCount, readdirSync(runs).length);
    assert.ok(found.report.storedRunCount > threads, 'pairs waited on disk');
    assert.ok(found.report.entryReadCount > 0, 'threads read bags from disk');
  }
});
