import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkGraphBuilder, rowOf } from '../../../src/join/links/link-graph.ts';
import { longTest } from '../../long-test.ts';
import { graphFrom } from './graphs.ts';

test('links stand both ways, ascending', () => {
  const { out, in: back } = graphFrom(4, '0>3 0>1 2>1 3>1');
  assert.deepEqual(
    [0, 1, 2, 3].map((page) => [...rowOf(out, page)]),
    [[1, 3], [], [1], [1]],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((page) => [...rowOf(back, page)]),
    [[], [0, 2, 3], [], [0]],
  );
  assert.ok(out.ids.buffer instanceof SharedArrayBuffer, 'threads can share them');
});

longTest('millions of links are more than one chunk', () => {
  const pageCount = 2000;
  const targetsOf = (page: number) =>
    Uint32Array.from({ length: pageCount / 2 - 1 }, (_, i) => 2 * i + (page % 2));
  const builder = new LinkGraphBuilder(pageCount);
  for (let page = 0; page < pageCount; page++) builder.add(page, targetsOf(page));
  const { out, in: back } = builder.graph();
  for (let page = 0; page < pageCount; page++) assert.deepEqual(rowOf(out, page), targetsOf(page));
  const sameParity = Uint32Array.from({ length: pageCount / 2 }, (_, i) => 2 * i + 1);
  assert.deepEqual(rowOf(back, 1), sameParity);
  assert.equal(rowOf(back, pageCount - 1).length, 0);
});
