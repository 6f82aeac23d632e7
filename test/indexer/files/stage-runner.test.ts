import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildKey } from '../../../src/indexer/files/build-key.ts';
import { StageRunner } from '../../../src/indexer/files/stage-runner.ts';
import { WorkFolder } from '../../../src/indexer/files/work-folder.ts';
import { DEFAULTS, input, noting, temporaryFolder } from '../build.ts';

test('a complete stage is passed over, also one that finds nothing to tell', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'pages.jsonl');
  writeFileSync(path, '');
  const order = { ...DEFAULTS, inputs: [input(path)], target: join(folder, 'a.akin') };
  const ran: string[] = [];
  const resumed: boolean[] = [];
  for (let run = 0; run < 2; run++) {
    const work = WorkFolder.open(order.target, buildKey(order), 0);
    const { listener, noted } = noting();
    const stages = new StageRunner(work, DEFAULTS, listener);
    const shown = { unit: 'pages', total: null };
    const silent = await stages.run(
      'silent',
      shown,
      () => void ran.push('silent'),
      () => 3,
    );
    const telling = await stages.run(
      'telling',
      shown,
      () => 6 + ran.push('telling'),
      () => 3,
    );
    assert.deepEqual([silent, telling], [undefined, 8]);
    assert.deepEqual([stages.isDone('silent'), stages.isDone('other')], [true, false]);
    resumed.push(...noted.stages.map((stage) => stage.resumed));
    work.release();
  }
  assert.deepEqual(ran, ['silent', 'telling']);
  assert.deepEqual(resumed, [false, false, true, true]);
});
