import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CrewSeat, serveOrder, soloCrew } from '../../src/lib/crew.ts';

test('a crew of one works through the units in order, and gathers from itself', async () => {
  const done: number[][] = [];
  const crew = soloCrew({ note: (unit, argument) => done.push([unit, argument]), sum: () => done.length });
  await crew.run('note', 3, 7);
  await crew.run('note', 0);
  assert.deepEqual(done, [
    [0, 7],
    [1, 7],
    [2, 7],
  ]);
  assert.deepEqual(await crew.gather('sum'), [3]);
});

test('seats at one counter share the units, each taken once', () => {
  const counter = new Int32Array(new SharedArrayBuffer(4));
  const done: string[] = [];
  const serve = (index: number) => {
    const seat: CrewSeat<null> = { index, counter, shared: null };
    return serveOrder(seat, { note: (unit) => done.push(`${index}:${unit}`) }, order);
  };
  const order = { task: 'note', unitCount: 2, argument: 0 };
  assert.equal(serve(4), null);
  serve(5);
  assert.deepEqual(done, ['4:0', '4:1']);
  assert.equal(
    serveOrder(
      { index: 6, counter, shared: null },
      { ask: (unit) => unit },
      {
        task: 'ask',
        unitCount: null,
        argument: 0,
      },
    ),
    6,
  );
});
