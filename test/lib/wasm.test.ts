import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnMemory, growMemory, MAX_KERNEL_BYTES } from '../../src/lib/wasm.ts';

test('memory near its end grows by what is left, not by a quarter', () => {
  const memory = createOwnMemory(3.5 * 2 ** 30);
  growMemory(memory, 3.6 * 2 ** 30);
  assert.ok(memory.buffer.byteLength >= 3.6 * 2 ** 30);
  growMemory(memory, MAX_KERNEL_BYTES);
  assert.equal(memory.buffer.byteLength, MAX_KERNEL_BYTES);
});

test('what no memory holds is refused in words', () => {
  const memory = createOwnMemory(1);
  assert.throws(() => growMemory(memory, 4.6 * 2 ** 30), /needs 4\.6 GiB at once, and 4 GiB is the most/);
});
