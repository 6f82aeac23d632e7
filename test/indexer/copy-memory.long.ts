/** Copies of many short pages: what is resident stays within the share of the budget, and all is as with room enough. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { collectGarbage } from '../../src/indexer/files/threads/collect-garbage.ts';
import { joinVersions } from '../../src/indexer/relate/copies.ts';
import { copyRoom, leastCopyBytes } from '../../src/join/copies/space/copy-memory.ts';
import { Random } from '../../src/lib/random.ts';
import type { SketchTable } from '../../src/sketch/sketch-table.ts';
import { DEFAULTS } from './build.ts';
import { folderOfSketches } from './sketch-folder.ts';

const PAGES = 400_000;
const KEYS = 64;
/** For Node, buffers of files, and what the collector has not given back yet. */
const SLACK_MIB = 64;

const peakMiB = () =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;

/** Half of the keys of each page are those of a page near it. */
function sketches(): SketchTable {
  const random = new Random(29);
  const keys = new Float64Array(KEYS * PAGES);
  for (let page = 0; page < PAGES; page++) {
    const own = keys.subarray(KEYS * page, KEYS * (page + 1));
    const near = KEYS * (page - (page & 7));
    for (let i = 0; i < KEYS; i++) {
      own[i] = i % 2 === 0 ? keys[near + i]! : random.below(2 ** 20) * 2 ** 32 + random.nextUint32();
      if (own[i] === 0) own[i] = random.below(2 ** 20) * 2 ** 32 + random.nextUint32();
    }
    own.sort();
  }
  return {
    pageCount: PAGES,
    offsets: Float64Array.from({ length: PAGES + 1 }, (_, page) => KEYS * page),
    keys,
    limits: new Float64Array(PAGES).fill(Number.POSITIVE_INFINITY),
    shingleCounts: new Uint32Array(PAGES).fill(KEYS),
  };
}

test('copies keep their share of the budget', { skip: process.platform !== 'linux' && 'Linux only' }, (t) => {
  const folder = folderOfSketches(
    t,
    sketches(),
    Uint32Array.from({ length: PAGES }, (_, page) => Math.floor(page / 50)),
  );
  const join = (memoryBytes: number) => {
    collectGarbage(0);
    // The peak from here on.
    writeFileSync('/proc/self/clear_refs', '5');
    const before = peakMiB();
    const { phases: _times, ...report } = joinVersions(folder, DEFAULTS, memoryBytes);
    const pairs = ['a', 'b', 'shared'].map((name) => readFileSync(folder.file(`copy-pairs-${name}`)));
    return { found: { report, pairs }, grownMiB: Math.round(peakMiB() - before) };
  };
  const tightBytes = (8 / 3) * (leastCopyBytes(PAGES, KEYS * PAGES) + 2 ** 26);
  assert.ok(copyRoom(PAGES, KEYS * PAGES, (3 / 8) * tightBytes).partCount > 5);
  const tight = join(tightBytes);
  const roomy = join(2 ** 32);
  t.diagnostic(`${tight.grownMiB} MiB, and ${roomy.grownMiB} with room enough`);
  assert.ok(tight.grownMiB < ((3 / 8) * tightBytes) / 2 ** 20 + SLACK_MIB, `${tight.grownMiB} MiB`);
  assert.ok(roomy.grownMiB > 3 * tight.grownMiB, `${roomy.grownMiB} MiB`);
  assert.deepEqual(tight.found, roomy.found);
});
