import { labelClusters } from '../cluster/label.ts';
import type { BagMatrix } from '../features/bag.ts';
import { readArray } from './array-file.ts';
import type { Level } from './clusters.ts';
import { RecordWriter, readRecords } from './record-file.ts';
import { featureNames } from './vocabulary.ts';
import type { WorkFiles } from './work-folder.ts';

const LABEL_TERMS = 4;

function labelFile(level: number): string {
  return `cluster-labels-${level}`;
}

/** Leaves the labels of the clusters of each level, in the order of their centers. */
export function nameClusters(folder: WorkFiles, matrix: BagMatrix, levels: readonly Level[]): void {
  const wordOf = readArray(folder.file('feature-words'), Uint32Array);
  const labels = levels.map((centers) => labelClusters(matrix, centers, wordOf, LABEL_TERMS));
  const terms = new Map<number, string>();
  for (const level of labels) {
    for (const label of level.values()) for (const feature of label) terms.set(feature, '');
  }
  for (const { id, term } of featureNames(folder, matrix.featureCount)) {
    if (terms.has(id)) terms.set(id, term);
  }
  for (const [level, ofLevel] of labels.entries()) {
    const file = new RecordWriter(folder.file(labelFile(level)));
    for (const label of ofLevel.values()) {
      file.append(Buffer.from(Array.from(label, (feature) => terms.get(feature)!).join(', ')));
    }
    file.close();
  }
}

/** What `nameClusters` left of one level. */
export function* clusterLabels(folder: WorkFiles, level: number): IterableIterator<string> {
  for (const label of readRecords(folder.file(labelFile(level)))) yield label.toString();
}
