import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyTable, key53, key53OfBytes } from '../../src/lib/keys/key-table.ts';
import { processorMs } from '../processor-time.ts';

/** Few enough to meet again, and some that fall on one slot. */
const key = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 40 }).map((n) => n * 2 ** 20),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
);
const value = fc.integer({ min: 0, max: 0xffffffff });

function expectSame(table: KeyTable, model: Map<number, number>): void {
  assert.equal(table.size, model.size);
  assert.deepEqual(new Map(table.entries()), model);
  for (const [k, v] of model) assert.equal(table.get(k, -1), v);
}

test('a table is a map, whatever is set and added', () => {
  const step = fc.tuple(fc.constantFrom('set', 'add'), key, value);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.array(key), (steps, probes) => {
      const table = new KeyTable();
      const model = new Map<number, number>();
      for (const [kind, k, v] of steps) {
        table[kind as 'set' | 'add'](k, v);
        model.set(k, kind === 'set' ? v : ((model.get(k) ?? 0) + v) % 2 ** 32);
      }
      expectSame(table, model);
      for (const k of probes) {
        assert.equal(table.has(k), model.has(k));
        assert.equal(table.get(k, 7), model.get(k) ?? 7);
      }
    }),
    { seed: 31, numRuns: 200 },
  );
});

test('a table keeps all it has while it grows, from any size it was made for', () => {
  for (const expected of [0, 1024, 50_000]) {
    const table = new KeyTable(expected);
    const model = new Map<number, number>();
    for (let i = 0; i < 30_000; i++) {
      const k = key53(`word ${i}`);
      table.add(k, i);
      model.set(k, i);
    }
    expectSame(table, model);
  }
});

test('ids in rows, of which there are more than slots, are found about as fast as keys of texts', () => {
  const ids = [1, 2 ** 16 + 1, 2 ** 17 + 1].flatMap((first) =>
    Array.from({ length: 15_000 }, (_, i) => first + i),
  );
  const msOf = (keys: readonly number[]) =>
    processorMs(() => {
      const table = new KeyTable();
      for (const key of keys) table.set(key, 1);
      for (const key of keys) assert.equal(table.get(key, 0), 1);
    });
  const texts = ids.map((id) => key53(String(id)));
  msOf(texts);
  // Searched one slot after the other, a row that meets another is passed as a whole: some hundred times as long.
  const [ofTexts, ofIds] = [msOf(texts), msOf(ids)];
  assert.ok(ofIds < 10 * ofTexts + 20, `${ofIds} ms of ids, ${ofTexts} ms of texts`);
});

test('a key is a whole number of 53 bits, never 0, and no two of 200,000 texts share one', () => {
  const keys = new Set<number>();
  for (let i = 0; i < 200_000; i++) {
    const k = key53(`https://x.example/${i}`);
    assert.ok(Number.isSafeInteger(k) && k > 0);
    keys.add(k);
  }
  assert.equal(keys.size, 200_000);
});

test('the bytes of a text have its key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.nat(9), (text, from) => {
      const bytes = Buffer.from(`${'x'.repeat(from)}${text}y`, 'latin1');
      assert.equal(key53OfBytes(bytes, from, from + text.length), key53(text));
    }),
  );
});
