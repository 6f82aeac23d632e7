import { join } from 'node:path';
import type { TestContext } from 'node:test';
import {
  FOLDED_HOSTS,
  FOLDED_LANGUAGES,
  FOLDED_SIMHASHES,
  SKETCH_KEYS,
  SKETCH_LIMITS,
  SKETCH_OFFSETS,
  SKETCH_SHINGLE_COUNTS,
} from '../../src/indexer/files/records/stage-files.ts';
import { WorkFolder } from '../../src/indexer/files/work-folder.ts';
import type { SketchTable } from '../../src/sketch/sketch-table.ts';
import { SIMHASH_LANES } from '../../src/sketch/word-simhash.ts';
import { temporaryFolder } from './build.ts';

/** A work folder with the sketches of folded pages, as `findVersions` leaves them: pages of no language, alike in their words. */
export function folderOfSketches(t: TestContext, table: SketchTable, siteOfPage: Uint32Array): WorkFolder {
  const folder = WorkFolder.open(join(temporaryFolder(t), 'test.akin'), null, 0);
  t.after(() => folder.release());
  SKETCH_KEYS.write(folder, table.keys);
  SKETCH_OFFSETS.write(folder, table.offsets);
  SKETCH_LIMITS.write(folder, table.limits);
  SKETCH_SHINGLE_COUNTS.write(folder, table.shingleCounts);
  FOLDED_HOSTS.write(folder, siteOfPage);
  FOLDED_LANGUAGES.write(folder, new Uint32Array(table.pageCount));
  FOLDED_SIMHASHES.write(folder, new Uint32Array(SIMHASH_LANES * table.pageCount));
  return folder;
}
