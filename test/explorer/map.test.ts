import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placeLabels, textWidth } from '../../src/explorer/map/labels.ts';
import { layout, type Pair } from '../../src/explorer/map/layout.ts';

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) =>
  Math.hypot(a.x - b.x, a.y - b.y);

test('two groups lie apart, each near to itself, with the page in the middle', () => {
  const pairs: Pair[] = [];
  for (let i = 1; i <= 8; i++) {
    pairs.push({ one: 0, other: i, similarity: 0.2 });
    for (let j = i + 1; j <= 8; j++) if (i <= 4 === j <= 4) pairs.push({ one: i, other: j, similarity: 0.6 });
  }
  const points = layout(9, pairs);
  assert.deepEqual(points[0], { x: 0, y: 0 });
  for (let i = 1; i <= 8; i++) {
    for (let j = 1; j <= 8; j++) {
      for (let k = 1; k <= 8; k++) {
        if (i === j || i <= 4 !== j <= 4 || i <= 4 === k <= 4) continue;
        assert.ok(distance(points[i]!, points[j]!) < distance(points[i]!, points[k]!), `${i} ${j} ${k}`);
      }
    }
  }
  assert.deepEqual(layout(9, pairs), points, 'the same answers give the same picture');
});

test('whatever is known of the pairs, every page has a place within the frame', () => {
  const pair = fc.record({
    one: fc.nat(11),
    other: fc.nat(11),
    similarity: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(pair), (given) => {
      const pairs = given.filter(({ one, other }) => one !== other);
      for (const { x, y } of layout(12, pairs)) assert.ok(Math.abs(x) <= 1.000001 && Math.abs(y) <= 1.000001);
    }),
    { numRuns: 30 },
  );
  assert.deepEqual(layout(1, []), [{ x: 0, y: 0 }]);
});

test('labels overlap neither each other nor a disc, and stay within the frame', () => {
  const place = fc.record({
    x: fc.integer({ min: 10, max: 290 }),
    y: fc.integer({ min: 10, max: 190 }),
    radius: fc.constant(8),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(place, fc.string({ maxLength: 20 })), { maxLength: 20 }), (given) => {
      const discs = given.map(([disc]) => disc);
      const frame = { left: 0, top: 0, right: 300, bottom: 200 };
      const labels = placeLabels(
        discs,
        [given.map(([, text]) => text), given.map(([, text]) => text.slice(0, 5))],
        frame,
        12,
      );
      const boxes = labels.flatMap((label) => {
        if (label === null) return [];
        const width = textWidth(label.text, 12);
        const left = label.x - { start: 0, middle: width / 2, end: width }[label.anchor];
        return [{ left, right: left + width, top: label.y - 9, bottom: label.y + 2 }];
      });
      for (const [i, box] of boxes.entries()) {
        assert.ok(box.left >= -1e-6 && box.right <= 300 + 1e-6);
        for (const other of boxes.slice(i + 1)) {
          const apart =
            box.left >= other.right - 1e-6 ||
            other.left >= box.right - 1e-6 ||
            box.top >= other.bottom ||
            other.top >= box.bottom;
          assert.ok(apart, JSON.stringify([box, other]));
        }
      }
    }),
    { numRuns: 100 },
  );
});
