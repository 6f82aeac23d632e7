import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeSpans, encodeSpans } from '../../../src/store/blobs/page-spans.ts';

const place = fc.integer({ min: 0, max: 2 ** 31 });
const link = fc
  .record({ start: place, length: fc.nat(5000), nofollow: fc.boolean() })
  .map(({ start, length, nofollow }) => ({ start, end: start + length, nofollow }));
const headings = fc.uniqueArray(place, { maxLength: 40 }).map((places) => {
  const sorted = places.toSorted((a, b) => a - b);
  return Array.from({ length: sorted.length >> 1 }, (_, i) => ({
    start: sorted[2 * i]!,
    end: sorted[2 * i + 1]!,
  }));
});

test('spans are read back as they were written', () => {
  fc.assert(
    fc.property(fc.array(link, { maxLength: 40 }), headings, headings, (links, headings, parts) => {
      const spans = { links, headings, weights: parts.map((part, i) => ({ ...part, weight: 2 + (i % 9) })) };
      assert.deepEqual(decodeSpans(encodeSpans(spans), links.length), spans);
    }),
    { seed: 17 },
  );
});

test('what could not be read back is not written', () => {
  const write = (...headings: [start: number, end: number][]) =>
    encodeSpans({ links: [], headings: headings.map(([start, end]) => ({ start, end })), weights: [] });
  assert.throws(() => write([5, 3]), RangeError);
  assert.throws(() => write([0, 8], [6, 10]), RangeError);
  assert.throws(
    () => encodeSpans({ links: [{ start: 4, end: 1, nofollow: false }], headings: [], weights: [] }),
    RangeError,
  );
});
