import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PartsOrder } from './parts-worker.ts';
import type { SnapshotParts } from './snapshot-parts.ts';

/**
 * Reads the parts of a snapshot on a thread of its own: the event loop is free meanwhile, and the memory that reading
 * takes ends with the thread.
 *
 * Errors  any, where the thread could not read them.
 */
export function loadPartsAside(order: PartsOrder): Promise<SnapshotParts> {
  const url = new URL(`./parts-worker${extname(import.meta.url)}`, import.meta.url);
  return new Promise((resolve, reject) => {
    const worker = new Worker(url, { workerData: order });
    worker.once('message', (parts) => resolve(withBuffers(parts)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread ended with code ${code}`)));
  });
}

/** Between threads a Buffer becomes an array of bytes. */
function withBuffers(parts: SnapshotParts): SnapshotParts {
  const blocks = parts.blocks.map(({ records, ends }) => ({
    records: Buffer.from(records.buffer, records.byteOffset, records.byteLength),
    ends,
  }));
  return { ...parts, blocks };
}
