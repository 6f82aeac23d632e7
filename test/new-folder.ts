import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory a file costs no disk; what is run from a file does not belong there. */
const IN_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const LEAST_BYTES = 4 * 2 ** 30;

function hasRoomInMemory(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY);
    return type === TMPFS && bavail * bsize >= LEAST_BYTES;
  } catch {
    return false;
  }
}

const parent = process.env['TMPDIR'] === undefined && hasRoomInMemory() ? IN_MEMORY : tmpdir();

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new folder for files of tests, in memory where there is room; deleted with the process at the latest. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(parent, `akin-${name}-`));
  made.push(folder);
  return folder;
}
