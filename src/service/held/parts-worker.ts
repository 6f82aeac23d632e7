import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from '../../store/reader.ts';
import type { PartsOrder } from './parts-thread.ts';
import { loadParts } from './snapshot-parts.ts';

const { path, generation } = workerData as PartsOrder;
const reader = IndexReader.open(path);
const card = reader.card();
if (card.generation !== generation) throw new Error(`${path} has been replaced`);
const parts = await loadParts(reader, card.relations, Number.POSITIVE_INFINITY);
reader.close();
// Handed over, not copied.
parentPort!.postMessage(parts, [...parts.pieces]);
