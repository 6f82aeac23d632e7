import { statSync } from 'node:fs';
import { isIndexFile } from '../../store/database.ts';
import type { BuildOptions } from './build-options.ts';

/** Bytes of all inputs, as they are once unpacked, roughly; null where that is not known: a folder, a pipe, most records of a program. */
export function inputBytes(inputs: BuildOptions['inputs']): number | null {
  let bytes = 0;
  for (const { path, records, recordBytes } of inputs) {
    if (recordBytes !== undefined) {
      bytes += recordBytes;
      continue;
    }
    const isFile = path !== '-' && records === undefined;
    const stat = isFile ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (!stat?.isFile()) return null;
    bytes += stat.size * (/\.(gz|zst)$/.test(path) ? 6 : isIndexFile(path) ? 3 : 1);
  }
  return bytes;
}
