import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSeparator, toPath } from '../../../src/cli/evaluate/judgements.ts';

const labelled = (...labels: string[]) => new Map(labels.map((label, page) => [page, new Set([label])]));

test('labels are paths where more than half of them hold a separator', () => {
  assert.equal(findSeparator(labelled('a/b', 'a/c', 'd')), '/');
  assert.equal(findSeparator(labelled('a.b', 'a.c', 'd')), '.');
  assert.equal(findSeparator(labelled('a.b/c.d', 'a.b/e')), '/');
  assert.equal(findSeparator(labelled('a/b', 'c')), null);
  assert.equal(findSeparator(new Map()), null);
});

test('a separator at either end makes no step', () => {
  assert.deepEqual(toPath('/Top/Arts/', '/'), ['Top', 'Arts']);
  assert.deepEqual(toPath('Arts', '/'), ['Arts']);
});
