/** A window that several captures have is held once, and none is taken for another. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ByteReader } from '../../../../src/indexer/files/records/bytes.ts';
import { HeldWindows } from '../../../../src/indexer/gather/extract/held-windows.ts';
import { counts, readFragmentHead } from '../../../../src/indexer/gather/records/page-record.ts';
import { key53 } from '../../../../src/lib/keys/key-table.ts';

const windows = fc.record({
  url: fc.constantFrom('http://a.example/', 'http://b.example/'),
  anchorText: fc.constantFrom('', 'a', 'b'),
  words: fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), fc.integer({ min: 1, max: 2 })), { maxLength: 3 }),
});

test('windows are held as a map of their contents holds them', () => {
  const held = new HeldWindows();
  fc.assert(
    fc.property(fc.array(windows, { maxLength: 80 }), (all) => {
      const expected = new Map<string, number[]>();
      for (const [sequence, window] of all.entries()) {
        const { url, anchorText, words } = window;
        const keys = Float64Array.from(words, ([word]) => key53(word));
        const tfs = Uint32Array.from(words, ([, tf]) => tf);
        const range = { from: 1, to: 1 + keys.length };
        const around = {
          keys: Float64Array.of(sequence, ...keys, 1),
          tfs: Uint32Array.of(3, ...tfs, sequence),
        };
        held.add({ url, anchorText, words: around, ...range }, key53(url), sequence);
        const content = JSON.stringify([url, anchorText, [...keys], [...tfs]]);
        expected.set(content, [...(expected.get(content) ?? []), sequence]);
      }
      const taken = new Map<string, readonly number[]>();
      held.take((bytes, target, captures) => {
        const from = new ByteReader(bytes);
        const { url } = readFragmentHead(from);
        const anchorText = from.text();
        const { keys, tfs } = counts.read(from);
        assert.ok(from.done && target === key53(url));
        taken.set(JSON.stringify([url, anchorText, [...keys], [...tfs]]), captures);
      });
      assert.deepEqual(taken, expected);
    }),
    { seed: 7, numRuns: 300 },
  );
});
