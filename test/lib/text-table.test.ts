import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextTable } from '../../src/lib/keys/text-table.ts';

test('a table numbers texts as a map does', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 5 });
  fc.assert(
    fc.property(fc.array(ascii, { maxLength: 200 }), (texts) => {
      const table = new TextTable();
      const numbers = new Map<string, number>();
      for (const text of texts) {
        if (!numbers.has(text)) {
          assert.equal(table.find(text), -1);
          numbers.set(text, numbers.size);
        }
        assert.equal(table.add(text), numbers.get(text));
      }
      assert.equal(table.size, numbers.size);
      for (const [text, number] of numbers) {
        assert.equal(table.find(text), number);
        assert.equal(table.text(number), text);
      }
      for (const [a, i] of numbers) {
        for (const [b, j] of numbers)
          assert.equal(Math.sign(table.compare(i, j)), a < b ? -1 : a > b ? 1 : 0);
      }
    }),
    { seed: 4, numRuns: 100 },
  );
});

test('texts of several chunks stay, the longest among them', () => {
  const table = new TextTable();
  const text = (i: number) => `${i} `.padEnd(i === 7 ? 0xffff : 300, 'x');
  for (let i = 0; i < 8000; i++) assert.equal(table.add(text(i)), i);
  for (let i = 0; i < 8000; i++) assert.equal(table.find(text(i)), i);
  assert.equal(table.text(7), text(7));
  assert.throws(() => table.add('x'.repeat(0x10000)), RangeError);
});
