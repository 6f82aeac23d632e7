import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { createKernelMemory } from '../../src/lib/wasm.ts';
import { createKernel, ROW_BYTES } from '../../src/sketch/page-kernel.ts';

const LIST = 1024;
const NEEDS = 2048;
const ROWS = 4096;
const TILE = 65_536;
const OUT = 131_072;
const COUNTS = 262_144;

/** Rows of few different bytes, so that many agree, and thresholds near the mean agreement. */
function randomRows(rowCount: number, seed: number) {
  const random = new Random(seed);
  const memory = createKernelMemory(524_288);
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  for (let i = 0; i < rowCount * ROW_BYTES; i++) bytes[ROWS + i] = random.below(4);
  for (let row = 0; row < rowCount; row++) bytes[NEEDS + row] = 25 + random.below(20);
  for (let i = 0; i < rowCount; i++) words[LIST / 4 + i] = random.below(rowCount);
  return { memory, bytes, words };
}

test('the pairs of a run are those that a byte by byte count finds, in the same order', () => {
  for (const [size, split] of [
    [2, 0],
    [63, 0],
    [200, 0],
    [200, 80],
    [100, 99],
  ] as const) {
    const { memory, bytes, words } = randomRows(200, size + split);
    const truth: number[] = [];
    for (let i = 0; i < (split || size); i++) {
      for (let j = split || i + 1; j < size; j++) {
        const [a, b] = [words[LIST / 4 + i]!, words[LIST / 4 + j]!];
        let agreement = 0;
        for (let c = 0; c < ROW_BYTES; c++) {
          if (bytes[ROWS + a * ROW_BYTES + c] === bytes[ROWS + b * ROW_BYTES + c]) agreement++;
        }
        if (agreement >= Math.min(bytes[NEEDS + a]!, bytes[NEEDS + b]!)) truth.push(i * 65_536 + j);
      }
    }
    const count = createKernel(memory).rowPairs(LIST, size, split, ROWS, NEEDS, TILE, OUT);
    assert.deepEqual([...words.slice(OUT / 4, OUT / 4 + count)], truth, `${size}, ${split}`);
    assert.ok(size < 60 || (truth.length > 10 && truth.length < 19_000));
  }
});

test('one row finds the rows of a list that agree with it, and in how many bytes', () => {
  const { memory, bytes, words } = randomRows(200, 7);
  const agreements = [...words.slice(LIST / 4, LIST / 4 + 200)].map((id) => {
    let agreement = 0;
    for (let c = 0; c < ROW_BYTES; c++) {
      if (bytes[ROWS + 5 * ROW_BYTES + c] === bytes[ROWS + id * ROW_BYTES + c]) agreement++;
    }
    return { id, agreement };
  });
  const truth = agreements.filter(({ agreement }) => agreement >= 32);
  assert.ok(truth.length > 20 && truth.length < 180);
  const count = createKernel(memory).rowMatches(5, LIST, 200, ROWS, 32, OUT, COUNTS);
  assert.deepEqual(
    [...words.slice(OUT / 4, OUT / 4 + count)],
    truth.map(({ id }) => id),
  );
  assert.deepEqual(
    [...bytes.slice(COUNTS, COUNTS + count)],
    truth.map(({ agreement }) => agreement),
  );
  const self = createKernel(memory).rowMatches(words[LIST / 4]!, LIST, 1, ROWS, 128, OUT, COUNTS);
  assert.deepEqual([self, bytes[COUNTS]], [1, 128]);
});
