import { type FileOrder, readAside } from './aside.ts';
import type { SnapshotParts } from './snapshot-parts.ts';

/** Reads the parts of a snapshot on a thread of its own. Errors  as `readAside`. */
export async function loadPartsAside(order: FileOrder): Promise<SnapshotParts> {
  return withBuffers(await readAside<SnapshotParts>(order, 'parts-worker', import.meta.url));
}

/** Between threads a Buffer becomes an array of bytes. */
function withBuffers(parts: SnapshotParts): SnapshotParts {
  const blocks = parts.blocks.map(({ records, ends }) => ({
    records: Buffer.from(records.buffer, records.byteOffset, records.byteLength),
    ends,
  }));
  return { ...parts, blocks };
}
