import { MemoryDisk } from './disk.ts';
import type { BuildFiles } from './work-folder.ts';

/** A work folder that leaves nothing on the disk, for stages that run and end in one call. */
export class MemoryFolder implements BuildFiles {
  readonly path = '';
  readonly startedAtMs = 0;
  readonly disk = new MemoryDisk();

  file(name: string): string {
    return name;
  }

  remove(...names: string[]): void {
    for (const name of names) this.disk.remove(name);
  }
}
