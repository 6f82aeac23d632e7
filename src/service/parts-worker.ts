import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from '../store/reader.ts';
import type { PartsOrder } from './parts-thread.ts';
import { loadParts, type SnapshotParts } from './snapshot-parts.ts';

const { path, generation } = workerData as PartsOrder;
const reader = IndexReader.open(path);
const card = reader.card();
if (card.generation !== generation) throw new Error(`${path} has been replaced`);
const parts = await loadParts(reader, card.relations, Number.POSITIVE_INFINITY);
reader.close();
parentPort!.postMessage(parts, buffersOf(parts));

/** What is handed over, not copied. */
function buffersOf({ blocks, langs, slots, neighbours }: SnapshotParts): ArrayBuffer[] {
  const arrays: ArrayBufferView[] = [langs, slots];
  for (const { records, ends } of blocks) arrays.push(records, ends);
  for (const ofRelation of neighbours.values()) {
    for (const block of ofRelation) {
      if (block !== undefined) arrays.push(block.ids, block.shared, block.total, block.ends);
    }
  }
  return arrays.map(({ buffer }) => buffer as ArrayBuffer);
}
