import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partChanges } from '../../src/features/part-changes.ts';

const SHARES = { content: 0.8, title: 0.05, anchor: 0.15 };

test('each part goes up and down, and a part that is there begins', () => {
  const changes = partChanges(SHARES, ['content', 'title', 'anchor', 'in']);
  assert.deepEqual(
    changes.map(({ name }) => name),
    [
      'content 0.8 to 0.9',
      'content 0.8 to 0.4',
      'title 0.05 to 0.1',
      'title 0.05 to 0.025',
      'title 0.05 to 0',
      'anchor 0.15 to 0.3',
      'anchor 0.15 to 0.075',
      'anchor 0.15 to 0',
      'in 0 to 0.05',
      'in 0 to 0.1',
    ],
  );
  for (const { shares } of changes) {
    const sum = Object.values(shares).reduce((all, share) => all + share, 0);
    assert.ok(Math.abs(sum - 1) < 1e-3, JSON.stringify(shares));
  }
  // The others keep their proportions.
  assert.deepEqual(changes[5]!.shares, { content: 0.6588, title: 0.0412, anchor: 0.3 });
});

test('the text of a page keeps a share that its list can hang on', () => {
  const low = partChanges({ content: 0.35, anchor: 0.65 }, ['content', 'anchor', 'in']);
  assert.ok(
    low.every(({ shares }) => shares['content']! >= 0.3),
    JSON.stringify(low),
  );
  assert.deepEqual(partChanges({ content: 1 }, ['content']), []);
});
