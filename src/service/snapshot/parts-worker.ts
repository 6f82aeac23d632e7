import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from '../../store/read/reader.ts';
import { loadParts } from './snapshot-parts.ts';

/** Which index is to be read: another one may have taken its place at the path. */
export interface PartsOrder {
  readonly path: string;
  readonly generation: string;
}

const { path, generation } = workerData as PartsOrder;
const reader = IndexReader.open(path);
const card = reader.card();
if (card.generation !== generation) throw new Error(`${path} has been replaced`);
const parts = await loadParts(reader, card.relations, Number.POSITIVE_INFINITY);
reader.close();
// Handed over, not copied.
parentPort!.postMessage(parts, [...parts.pieces]);
