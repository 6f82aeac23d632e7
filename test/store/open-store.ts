import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { checkIndex } from '../../src/store/check/check.ts';
import { IndexReader } from '../../src/store/read/reader.ts';

/** Opens an index for one test; when the test ends every invariant of the file is proved. */
export function openStore(t: TestContext, path: string): IndexReader {
  // Hooks run in the order of their making: the folder's removal, registered before, must not come first.
  const reader = IndexReader.open(path);
  const { faults } = checkIndex(path);
  t.after(() => reader.close());
  assert.deepEqual(faults, []);
  return reader;
}
