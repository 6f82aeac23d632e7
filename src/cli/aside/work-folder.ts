/** A folder for what a long work writes meanwhile. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MOST_TRIES = 100;

interface WorkFolder {
  readonly folder: string;
  /** Also while a thread, which ends with the process, still writes into it. */
  readonly remove: () => void;
}

/** A new folder among temporary files. */
export function newWorkFolder(name: string): WorkFolder {
  const folder = mkdtempSync(join(tmpdir(), `akin-${name}-`));
  const remove = () => {
    for (let tries = 0; tries < MOST_TRIES && existsSync(folder); tries++) {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // What was written since is there; the next try meets it.
      }
    }
  };
  return { folder, remove };
}
