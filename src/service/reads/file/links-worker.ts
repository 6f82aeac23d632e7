import { parentPort, workerData } from 'node:worker_threads';
import { IndexReader } from '../../../store/read/reader.ts';
import type { PartsOrder } from '../../snapshot/parts-worker.ts';
import { readLinks } from './link-loading.ts';

const { path, generation } = workerData as PartsOrder;
const reader = IndexReader.open(path);
if (reader.generation !== generation) throw new Error(`${path} has been replaced`);
const graph = await readLinks(reader, Number.POSITIVE_INFINITY);
reader.close();
// Its memory is shared: nothing is copied.
parentPort!.postMessage(graph);
