import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BagMatrix } from '../../src/features/bag.ts';
import {
  BAG_ENTRIES,
  BAG_FEATURE_COUNT,
  BAG_OFFSETS,
  BAG_SUMS,
} from '../../src/indexer/files/records/stage-files.ts';
import { type WorkFiles, WorkFolder } from '../../src/indexer/files/work-folder.ts';
import { temporaryFolder } from './build.ts';

/** A work folder as the stage `bags` leaves it. */
export function folderOfBags(t: TestContext, matrix: BagMatrix): WorkFolder {
  const target = join(temporaryFolder(t), 'test.akin');
  const folder = WorkFolder.open(target, null, 0);
  t.after(() => folder.release());
  saveBags(folder, matrix);
  return folder;
}

function saveBags(folder: WorkFiles, matrix: BagMatrix): void {
  BAG_ENTRIES.write(folder, matrix);
  BAG_OFFSETS.write(folder, matrix.offsets);
  BAG_SUMS.write(folder, matrix.sums);
  BAG_FEATURE_COUNT.write(folder, Uint32Array.of(matrix.featureCount));
}
