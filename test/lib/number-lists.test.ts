import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NumberLists } from '../../src/lib/keys/number-lists.ts';
import { Random } from '../../src/lib/random.ts';

for (const width of [1, 2] as const) {
  test(`lists of ${width === 1 ? 'numbers' : 'pairs'} are what arrays in a map are`, () => {
    const random = new Random(width);
    const lists = new NumberLists(width);
    const slow = new Map<number, number[][]>();
    const entriesOf = (key: number) => {
      const list = lists.find(key);
      if (list < 0) return [];
      const { pool } = lists;
      const entries: number[][] = [];
      for (let at = lists.start(list); at < lists.end(list); at += width)
        entries.push(Array.from(pool.subarray(at, at + width)));
      return entries;
    };
    for (let step = 0; step < 40_000; step++) {
      // Some keys have many entries, most few; 0 and the largest key are among them.
      const key = random.below(3) === 0 ? random.below(4) : 2 ** 32 - 2 - random.below(3000);
      const entries = slow.get(key) ?? [];
      slow.set(key, entries);
      const what = random.below(100);
      if (what < 65) {
        const entry = [step | (200 << 24), random.below(2 ** 16)].slice(0, width);
        lists.add(key, entry[0]!, entry[1]);
        entries.push(entry.map((number) => number >>> 0));
      } else if (what < 99) {
        const at = random.below(entries.length + 1);
        const first = entries[at]?.[0] ?? 7;
        assert.equal(lists.remove(key, first | 0), at < entries.length);
        const last = entries.pop();
        if (at < entries.length) entries[at] = last!;
        else if (last !== undefined && last[0] !== first) entries.push(last);
      } else {
        lists.clear(key);
        entries.length = 0;
      }
      assert.equal(lists.count(key), entries.length);
      if (step % 50 === 0) assert.deepEqual(entriesOf(key), entries);
    }
    for (const [key, entries] of slow) assert.deepEqual(entriesOf(key), entries);
    assert.deepEqual([lists.count(5), lists.remove(5, 1), lists.find(5)], [0, false, -1]);
  });
}
