import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { graphFromNeighbors } from '../../src/cluster/symmetric-graph.ts';
import { exactNeighbors } from '../../src/join/exact/exact-neighbors.ts';
import { randomMatrix } from '../join/bags.ts';

test('an edge stands both ways, once, if either page names the other at the threshold', () => {
  const cases = fc.record({
    pages: fc.integer({ min: 1, max: 50 }),
    k: fc.integer({ min: 1, max: 6 }),
    threshold: fc.constantFrom(0, 0.1, 0.2, 0.5),
    seed: fc.integer(),
  });
  fc.assert(
    fc.property(cases, ({ pages, k, threshold, seed }) => {
      const matrix = randomMatrix(pages, 60, seed);
      const table = exactNeighbors(matrix, { k, floor: 0.03 });
      const edges = new Map<string, string>();
      for (let page = 0; page < pages; page++) {
        for (let slot = page * k; slot < page * k + table.counts[page]!; slot++) {
          const [shared, total] = [table.shared[slot]!, table.total[slot]!];
          if (shared / total < threshold) continue;
          edges.set(`${page} ${table.ids[slot]}`, `${shared}/${total}`);
          edges.set(`${table.ids[slot]} ${page}`, `${shared}/${total}`);
        }
      }
      const graph = graphFromNeighbors(table, threshold);
      let seen = 0;
      for (let page = 0; page < pages; page++) {
        let last = -1;
        for (let i = graph.offsets[page]!; i < graph.offsets[page + 1]!; i++, seen++) {
          const other = graph.neighbors[i]!;
          assert.ok(other > last);
          last = other;
          assert.equal(edges.get(`${page} ${other}`), `${graph.shared[i]}/${graph.total[i]}`);
        }
      }
      assert.equal(seen, edges.size);
    }),
    { seed: 51, numRuns: 150 },
  );
});
