import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';

/** Opens an index for one test, of whose file every invariant has been proved. */
export function openProved(t: TestContext, path: string): IndexReader {
  const reader = IndexReader.open(path);
  // Hooks run in the order of their making: the folder's removal, registered before, must not come first.
  t.after(() => reader.close());
  return reader;
}

/** Opens an index for one test, and proves every invariant of the file. */
export function openStore(t: TestContext, path: string): IndexReader {
  proveStore(path);
  return openProved(t, path);
}

export function proveStore(path: string): void {
  assert.deepEqual(checkIndex(path).faults, []);
}
