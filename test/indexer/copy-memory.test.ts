/** Copies within a budget of memory: the same files whatever it is, a refusal where nothing helps. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { InputError } from '../../src/errors.ts';
import { joinVersions } from '../../src/indexer/relate/copies.ts';
import { leastCopyBytes } from '../../src/join/copies/space/copy-memory.ts';
import { Random } from '../../src/lib/random.ts';
import { tableOf } from '../../src/sketch/sketch-table.ts';
import { longTest } from '../long-test.ts';
import { DEFAULTS } from './build.ts';
import { folderOfSketches } from './sketch-folder.ts';

const PAGES = 4400;
const KEYS = 50;
const MENU_KEYS = 20;
const random = new Random(23);
const key = () => random.below(2 ** 20) * 2 ** 32 + random.nextUint32();

/** Keys of every fourth page: too many pages for a list. */
const COMMON = [key(), key(), key()];
/** Sites of 40 pages that share 20 keys; every fourth page is one before it with some keys changed. */
const rows: number[][] = [];
for (let page = 0; page < PAGES; page++) {
  const menu =
    page % 40 === 0 ? Array.from({ length: MENU_KEYS }, key) : rows[page - (page % 40)]!.slice(0, MENU_KEYS);
  const former = page % 4 === 3 ? rows[page - 1 - random.below(Math.min(page, 90))]! : null;
  const own = Array.from({ length: KEYS - MENU_KEYS }, (_, i) =>
    former === null || random.below(10) === 0 ? key() : former[MENU_KEYS + i]!,
  );
  rows.push([...menu, ...own, ...(page % 4 === 0 ? COMMON : [])]);
}
const table = tableOf(
  rows.map((keys) => {
    const distinct = Float64Array.from(new Set(keys)).sort();
    return { keys: distinct, limit: Number.POSITIVE_INFINITY, shingleCount: distinct.length };
  }),
);
const sites = Uint32Array.from(rows, (_, page) => Math.floor(page / 40));

/** What a join leaves for the stage `write`, and whether lists went to a file. */
function join(t: Parameters<typeof folderOfSketches>[0], memoryBytes: number, options = {}) {
  const folder = folderOfSketches(t, table, sites);
  const { phases: _times, ...report } = joinVersions(folder, { ...DEFAULTS, ...options }, memoryBytes);
  const names = readdirSync(folder.path).filter((name) => /^copy-(pairs|roots|template|common)/.test(name));
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(folder.file(name))]));
  return { report, files, isOnDisk: existsSync(folder.file('copy-lists')) };
}

for (const copyProfile of ['akin', 'broder1997'] as const) {
  const declare = copyProfile === 'akin' ? longTest : test;
  declare(`copies are the same with sketches in memory and on disk: profile ${copyProfile}`, (t) => {
    const options = { copyProfile, templateFilter: copyProfile === 'akin' };
    const roomy = join(t, 2 ** 30, options);
    const { pairCount, templateShingleCount, crowdedShingleCount } = roomy.report;
    assert.ok(pairCount > 300, `${pairCount} pairs`);
    assert.equal(templateShingleCount > 1000, copyProfile === 'akin');
    // What the printed method ignores is crowded in ours.
    assert.equal(roomy.files['copy-common-keys']!.length, copyProfile === 'akin' ? 0 : 8 * COMMON.length);
    assert.equal(crowdedShingleCount > 0, copyProfile === 'akin');
    assert.equal(roomy.isOnDisk, false);
    const tight = join(t, 3 * 2 ** 20, options);
    assert.equal(tight.isOnDisk, true);
    assert.deepEqual(tight.report, roomy.report);
    assert.deepEqual(tight.files, roomy.files);
  });
}

longTest('a budget too small for what there is a page is refused, with one that does', (t) => {
  const allowed = leastCopyBytes(PAGES, table.keys.length);
  let advised = 0;
  assert.throws(
    () => join(t, allowed),
    (error) => {
      assert.ok(error instanceof InputError);
      assert.match(
        error.message,
        /^the copies of 4400 pages need \d+ MiB of memory, but --memory allows \d+$/,
      );
      advised = Number(/--memory (\d+)M/.exec(error.hint!)![1]) * 2 ** 20;
      return true;
    },
  );
  assert.ok(join(t, advised).isOnDisk);
  assert.throws(() => join(t, advised - 2 ** 20), InputError);
});
