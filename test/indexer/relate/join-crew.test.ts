import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { joinCrew } from '../../../src/indexer/relate/crew/join-crew.ts';
import type { JoinSpace } from '../../../src/join/buckets/space/join-space.ts';

test('a worker that fails ends the task with its error, whenever it fails', async () => {
  const nothing = {} as JoinSpace;
  const early = joinCrew(2).start(nothing);
  await assert.rejects(early.run('signRows', 4), /memory/);
  await early.close();
  const late = joinCrew(1).start(nothing);
  await setTimeout(300);
  await assert.rejects(late.run('signRows', 4), /memory/);
  await late.close();
});
