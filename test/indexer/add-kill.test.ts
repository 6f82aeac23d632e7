import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { killChanges } from './add-kill.ts';
import { buildPages, temporaryFolder } from './build.ts';
import { startAdd } from './child.ts';
import { toJsonl } from './pages.ts';
import { firstSweep, secondSweep } from './sweeps.ts';

test('an addition that is killed leaves the old index or the new one', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(secondSweep()));
  await killChanges(target, () => startAdd(target, path), 1, 7);
});

test('of two additions at once one says that the other is at work, or finds its sweep there', async (t) => {
  const { target } = await buildPages(t, firstSweep());
  const path = join(temporaryFolder(t), 'sweep.jsonl');
  writeFileSync(path, toJsonl(secondSweep()));
  const first = startAdd(target, path);
  await first.said('started');
  const second = await startAdd(target, path).ended;
  assert.match(await first.ended, /^generation /m);
  assert.match(second, /^error AKIN_ERR_INDEX_BUSY|^generation /m);
});
