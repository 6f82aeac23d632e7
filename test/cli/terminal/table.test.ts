import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatCount,
  formatDuration,
  formatSize,
  left,
  renderTable,
  right,
} from '../../../src/cli/terminal/table.ts';

test('columns are as wide as their widest cell and lines end without spaces', () => {
  const table = renderTable(
    [left('Name'), right('N'), left('Note')],
    [
      ['aé', '1', ''],
      ['longer', '1,000', 'x'],
    ],
  );
  assert.equal(table, 'Name        N  Note\naé          1\nlonger  1,000  x');
});

test('counts, sizes and times are written the same in every locale', () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(formatCount), ['0', '999', '1,000', '1,234,567']);
  assert.deepEqual([0, 999, 1500, 2.5e6, 7e9, 3e12].map(formatSize), [
    '0 B',
    '999 B',
    '1.5 kB',
    '2.5 MB',
    '7.0 GB',
    '3.0 TB',
  ]);
  assert.deepEqual([40, 59_940, 59_960, 61_000, 3_599_700, 7_380_000].map(formatDuration), [
    '0.0 s',
    '59.9 s',
    '1 min 00 s',
    '1 min 01 s',
    '1 h 00 min',
    '2 h 03 min',
  ]);
});
