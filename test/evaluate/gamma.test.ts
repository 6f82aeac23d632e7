import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { familialDistance } from '../../src/evaluate/familial-distance.ts';
import { addCounts, compareList, comparePairs, gamma, type Relative } from '../../src/evaluate/gamma.ts';

const path = (text: string) => text.split('/');

test('the familial distance climbs from the source to the class that holds both', () => {
  const birds = [path('Science/Biology/Birds')];
  const to = (...labels: string[]) => familialDistance(birds, labels.map(path));
  assert.equal(to('Science/Biology/Birds'), 0);
  assert.equal(to('Science/Biology/Birds/Owls'), 0);
  assert.equal(to('Science/Biology/Mammals'), 1);
  assert.equal(to('Science/Biology'), 1);
  assert.equal(to('Science/Physics/Birds'), 2);
  assert.equal(to('History'), 3);
  assert.equal(to('History', 'Science/Biology/Plants'), 1);
  assert.equal(familialDistance([path('History'), path('Science/Physics')], [path('Science/Biology')]), 1);
});

test('Gamma is 1 where nearer classes are more similar, -1 where they are less, and passes over ties', () => {
  const pages = [
    { similarity: 0.9, distance: 0 },
    { similarity: 0.5, distance: 1 },
    { similarity: 0.5, distance: 2 },
    { similarity: 0.1, distance: 2 },
  ];
  assert.deepEqual(comparePairs(pages), { agreeing: 4, opposed: 0, tied: 1 });
  assert.equal(gamma(comparePairs(pages)), 1);
  assert.equal(gamma(comparePairs(pages.map((page) => ({ ...page, similarity: -page.similarity })))), -1);
  assert.ok(Number.isNaN(gamma(comparePairs([]))));
});

test('the counts of pairs are those of comparing each with each', () => {
  const pages = fc.array(
    fc.record({ similarity: fc.constantFrom(0, 0.1, 0.2, 0.5, 0.9), distance: fc.nat(3) }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pages, (list) => assert.deepEqual(comparePairs(list), eachWithEach(list))),
    { seed: 4, numRuns: 200 },
  );
});

test('a list counts as its pages in order with all others tied behind them', () => {
  const lists = fc.record({
    list: fc.array(fc.nat(3), { maxLength: 8 }),
    rest: fc.array(fc.nat(3), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(lists, ({ list, rest }) => {
      const totals = [0, 0, 0, 0];
      for (const distance of [...list, ...rest]) totals[distance]!++;
      const pages = [
        ...list.map((distance, place) => ({ similarity: 1 - place / 10, distance })),
        ...rest.map((distance) => ({ similarity: 0, distance })),
      ];
      assert.deepEqual(compareList(list, totals), eachWithEach(pages));
    }),
    { seed: 4, numRuns: 200 },
  );
});

test('counts of sources add up', () => {
  const one = { agreeing: 1, opposed: 2, tied: 3 };
  assert.deepEqual(addCounts(one, one), { agreeing: 2, opposed: 4, tied: 6 });
});

function eachWithEach(pages: readonly Relative[]) {
  const counts = { agreeing: 0, opposed: 0, tied: 0 };
  for (const [i, x] of pages.entries()) {
    for (const y of pages.slice(i + 1)) {
      if (x.distance === y.distance) continue;
      const [near, far] = x.distance < y.distance ? [x, y] : [y, x];
      if (near.similarity === far.similarity) counts.tied++;
      else if (near.similarity > far.similarity) counts.agreeing++;
      else counts.opposed++;
    }
  }
  return counts;
}
