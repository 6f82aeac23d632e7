import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BagMatrix } from '../../src/features/bag.ts';
import { writeArray } from '../../src/indexer/files/array-file.ts';
import { WorkFolder } from '../../src/indexer/files/work-folder.ts';
import { DEFAULTS, temporaryFolder } from './build.ts';

/** A work folder as the stage `bags` leaves it. */
export function folderOfBags(t: TestContext, matrix: BagMatrix): WorkFolder {
  const target = join(temporaryFolder(t), 'test.akin');
  const folder = WorkFolder.open({ ...DEFAULTS, inputs: [], target }, 0);
  t.after(() => folder.release());
  writeArray(folder.file('bag-features'), matrix.features);
  writeArray(folder.file('bag-weights'), matrix.weights);
  writeArray(folder.file('bag-offsets'), matrix.offsets);
  writeArray(folder.file('bag-sums'), matrix.sums);
  writeFileSync(folder.file('feature-parts'), new Uint8Array(matrix.featureCount));
  return folder;
}
