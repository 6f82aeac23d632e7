import { type Disk, SYSTEM_DISK } from './disk.ts';

/** One call moves no more than 2 GiB. */
const CALL_BYTES = 1 << 26;

/** Writes all bytes, however many calls that takes. */
export function writeAll(file: number, bytes: Uint8Array, disk: Disk = SYSTEM_DISK): void {
  for (let at = 0; at < bytes.length; ) {
    at += disk.write(file, bytes, at, Math.min(CALL_BYTES, bytes.length - at));
  }
}

/**
 * Fills `bytes` from `position` on, or from where the file stands; returns how many there were, fewer only where the
 * file ends.
 */
export function readAll(
  file: number,
  bytes: Uint8Array,
  position: number | null = null,
  disk: Disk = SYSTEM_DISK,
): number {
  let at = 0;
  while (at < bytes.length) {
    const from = position === null ? null : position + at;
    const got = disk.read(file, bytes, at, Math.min(CALL_BYTES, bytes.length - at), from);
    if (got === 0) break;
    at += got;
  }
  return at;
}

/** The same where the file must hold them all; `path` names it. */
export function readWhole(
  path: string,
  file: number,
  bytes: Uint8Array,
  position: number | null = null,
  disk: Disk = SYSTEM_DISK,
): void {
  if (readAll(file, bytes, position, disk) < bytes.length)
    throw new Error(`${path} is shorter than its header says`);
}
