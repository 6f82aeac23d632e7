import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupResults, type RankedResult } from '../../src/cluster/group-results.ts';
import { Random } from '../../src/lib/random.ts';
import { overlapOf, resemblance } from '../../src/sketch/resemblance.ts';
import { sketchText } from '../../src/sketch/shingle-sketch.ts';

const sentence = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `word${from + i}`).join(' ');
const result = (text: string | null): RankedResult => ({ sketch: text === null ? null : sketchText(text) });

test('copies join the first of their kind and the order stays', () => {
  const groups = groupResults([
    result(sentence(0, 100)),
    result(sentence(500, 600)),
    result(sentence(5, 100)),
    result(sentence(500, 600)),
    result(sentence(900, 1000)),
  ]);
  assert.deepEqual(
    groups.map((group) => group.ranks),
    [[0, 2], [1, 3], [4]],
  );
  assert.deepEqual(
    groups.map((group) => group.hiddenCount),
    [1, 1, 0],
  );
  assert.deepEqual(groups[1]!.resemblances, [1, 1]);
  assert.equal(groups[0]!.resemblances[1], 86 / 91);
});

test('a chain of small changes is not one group', () => {
  const groups = groupResults([
    result(sentence(0, 100)),
    result(sentence(30, 130)),
    result(sentence(60, 160)),
  ]);
  assert.deepEqual(
    groups.map((group) => group.ranks),
    [[0, 1], [2]],
  );
});

test('unknown pages stay alone', () => {
  const groups = groupResults([result(null), result(sentence(0, 50)), result(null), result(sentence(0, 50))]);
  assert.deepEqual(
    groups.map((group) => [group.ranks, group.unknown]),
    [
      [[0], true],
      [[1, 3], false],
      [[2], true],
    ],
  );
});

test('the threshold is the caller’s', () => {
  const list = [result(sentence(0, 100)), result(sentence(30, 130))];
  assert.equal(groupResults(list, 0.9).length, 2);
  assert.equal(groupResults(list, 0.4).length, 1);
  assert.deepEqual(groupResults([]), []);
});

test('results are grouped as by comparing whole sketches', () => {
  const random = new Random(5);
  const list = Array.from({ length: 60 }, () => {
    const from = 40 * random.below(30);
    return result(sentence(from, from + 60 + random.below(600)));
  });
  for (const threshold of [0, 0.05, 0.3, 0.5, 0.8, 1]) {
    const homes: number[] = [];
    for (const [rank, { sketch }] of list.entries()) {
      const first = homes.findIndex(
        (home, at) => home === at && resemblance(overlapOf(list[at]!.sketch!, sketch!)).value >= threshold,
      );
      homes.push(first < 0 ? rank : first);
    }
    const groups = groupResults(list, threshold);
    assert.deepEqual(
      groups.map(({ ranks }) => ranks),
      [...new Set(homes)].map((home) => homes.flatMap((h, rank) => (h === home ? [rank] : []))),
    );
    for (const { ranks, resemblances } of groups)
      assert.deepEqual(
        resemblances,
        ranks.map((rank) => resemblance(overlapOf(list[ranks[0]!]!.sketch!, list[rank]!.sketch!)).value),
      );
  }
});
