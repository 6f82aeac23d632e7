import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { input, PRINTED, temporaryFolder } from './build.ts';
import { killAndGoOn } from './kill.ts';
import { linkedPages } from './write/linked-pages.ts';

const MANUALS = fileURLToPath(new URL('../../../shared/data/manuals/demo.warc.gz', import.meta.url));
const skip = existsSync(MANUALS) ? false : `${MANUALS} is not here`;

test('a build that works aside, killed at twenty moments, gives the same index', async (t) => {
  const resumed = await killAndGoOn(linkedPages(t), 20, 29);
  assert.ok(resumed.has('neighbors'), `some runs went on behind later stages: ${[...resumed]}`);
});

for (const [profile, options] of Object.entries({ akin: {}, haveliwala2000: PRINTED })) {
  test(`a build of real pages, profile ${profile}, killed at forty moments gives the same index`, {
    skip,
  }, async (t) => {
    const target = join(temporaryFolder(t), 'a.akin');
    const wide = { maxPageBytes: 10 << 20, workerCount: 2, ...options };
    const resumed = await killAndGoOn({ inputs: [input(MANUALS)], target, ...wide }, 40, 23);
    assert.ok(resumed.has('merge'), `some runs went on behind later stages: ${[...resumed]}`);
  });
}
