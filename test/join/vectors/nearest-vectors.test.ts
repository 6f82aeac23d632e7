/** Lists by vectors against every pair of the vectors as they were given, in double precision. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVectors } from '../../../src/features/vectors.ts';
import { createNeighborTable } from '../../../src/join/pairs/neighbor-table.ts';
import { COSINE_PARTS, cosineOf, roundingAngle, squareOf } from '../../../src/join/vectors/cosine.ts';
import { nearestToVector } from '../../../src/join/vectors/nearest-to-vector.ts';
import { nearestVectorRows } from '../../../src/join/vectors/nearest-vectors.ts';
import { cellsFor, cellVectorRows, vectorCells } from '../../../src/join/vectors/vector-cells.ts';
import { createVectorSpace, putVector } from '../../../src/join/vectors/vector-space.ts';
import { Random } from '../../../src/lib/random.ts';
import { longTest } from '../../long-test.ts';

const K = 8;

/** Of some kinds, with noise. */
function vectorsOf(count: number, dimensions: number, random: Random): number[][] {
  const draw = () => random.below(2001) / 1000 - 1;
  const kinds = Array.from({ length: 12 }, () => Array.from({ length: dimensions }, draw));
  return Array.from({ length: count }, () => {
    const kind = kinds[random.below(kinds.length)]!;
    return kind.map((component) => (component + 0.7 * draw()) * 10 ** (random.below(3) - 1));
  });
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, component, i) => sum + component * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const rounded = (vector: number[]) => readVectors({ v: vector }).vectors['v']!;

for (const dimensions of [2, 16, 37, 384]) {
  test(`the nearest of ${dimensions} components are those of all pairs, within what rounding may cost`, () => {
    const random = new Random(dimensions);
    const given = vectorsOf(dimensions > 100 ? 700 : 1500, dimensions, random);
    const vectors = given.map(rounded);
    const space = createVectorSpace(vectors.length, dimensions, 2);
    for (const [i, vector] of vectors.entries()) putVector(space, i, vector);
    const table = createNeighborTable(vectors.length, K);
    const fills = [nearestVectorRows(space, table), nearestVectorRows(space, table)];
    for (let from = 0; from < vectors.length; from += 100) fills[(from / 100) % 2]!(from, from + 100);
    for (let page = 0; page < vectors.length; page += 97) {
      const all = vectors.map((other, id) => ({ id, parts: cosineOf(vectors[page]!, other) }));
      const wanted = all
        .filter(({ id, parts }) => id !== page && parts > 0)
        .sort((a, b) => b.parts - a.parts || a.id - b.id)
        .slice(0, K);
      const slots = Array.from({ length: table.counts[page]! }, (_, i) => page * K + i);
      assert.deepEqual(
        slots.map((slot) => ({ id: table.ids[slot], parts: table.shared[slot] })),
        wanted,
      );
      for (const { id, parts } of wanted) {
        const angles = [page, id].map((one) => roundingAngle(squareOf(vectors[one]!), dimensions));
        const off = Math.abs(parts / COSINE_PARTS - cosine(given[page]!, given[id]!));
        assert.ok(off <= angles[0]! + angles[1]! + 1 / COSINE_PARTS, `${page} and ${id} are off by ${off}`);
      }
    }
  });
}

longTest('by cells the recall is what is measured, and with all of them nothing is missed', () => {
  const random = new Random(17);
  const vectors = vectorsOf(3000, 24, random).map(rounded);
  const space = createVectorSpace(vectors.length, 24);
  for (const [i, vector] of vectors.entries()) putVector(space, i, vector);
  const exact = createNeighborTable(vectors.length, 10);
  nearestVectorRows(space, exact)(0, vectors.length);
  const cells = vectorCells(space, 1, 1);
  assert.deepEqual(
    [...cells.rows].sort((a, b) => a - b),
    [...vectors.keys()],
  );
  const table = createNeighborTable(vectors.length, 10);
  const { cellCount, recall: measured, recallLow } = cellsFor(cells, table, 0.9, 1);
  assert.ok(cellCount < cells.ends.length && recallLow >= 0.9, `${cellCount} cells`);
  cellVectorRows(cells, table, cellCount)(0, vectors.length);
  let held = 0;
  for (let page = 0; page < vectors.length; page++) {
    const least = exact.shared[page * 10 + 9]!;
    held += table.shared.subarray(page * 10, page * 10 + 10).filter((parts) => parts >= least).length;
  }
  const recall = held / (10 * vectors.length);
  // Of 512 pages it is good to .01.
  assert.ok(Math.abs(recall - measured) < 0.015, `${measured}, ${recall}`);
  const all = createNeighborTable(vectors.length, 10);
  const again = vectorCells(space, 1, 1);
  cellVectorRows(again, all, again.ends.length)(0, vectors.length);
  assert.deepEqual([all.ids, all.shared], [exact.ids, exact.shared]);
});

test('a search block by block finds what the table has, and passes over what is not accepted', () => {
  const random = new Random(3);
  const vectors = vectorsOf(700, 20, random).map(rounded);
  const blocks = [0, 256, 512].map((from) => {
    const of = vectors
      .slice(from, from + 256)
      .flatMap((vector, i) => (i % 5 === 0 ? [] : [{ page: from + i, vector }]));
    return {
      pages: Uint32Array.from(of, ({ page }) => page),
      vectors: Int8Array.from(of.flatMap(({ vector }) => [...vector])),
    };
  });
  const accept = (page: number) => page % 3 !== 0;
  const { ids, shared, total } = nearestToVector(blocks, {
    vector: vectors[1]!,
    count: 20,
    blockPages: 256,
    accept,
  });
  const wanted = vectors
    .map((vector, id) => ({ id, parts: cosineOf(vectors[1]!, vector) }))
    .filter(({ id, parts }) => (id % 256) % 5 !== 0 && accept(id) && parts > 0)
    .sort((a, b) => b.parts - a.parts || a.id - b.id)
    .slice(0, 20);
  assert.deepEqual(
    [...ids],
    wanted.map(({ id }) => id),
  );
  assert.deepEqual(
    [...shared],
    wanted.map(({ parts }) => parts),
  );
  assert.ok(total.every((one) => one === COSINE_PARTS));
});
