/** Rules of the app for lists, as JSON in a file beside the index: `FILE.rules.json`. It is there whole, or not at all. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { linkedFile } from './linked-file.ts';
import { syncPath } from './sync-path.ts';

export function rulesPathOf(indexPath: string): string {
  return `${indexPath}.rules.json`;
}

/** The text, and since when it is that; null where there is no file. Errors  the system's own. */
export function readRulesFile(path: string): { readonly text: string; readonly changedMs: number } | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : { text: readFileSync(path, 'utf8'), changedMs: stat.mtimeMs };
}

/** Resolves what is on the disk when it returns: the text, or for null no file. Errors  the system's own; the old text stays then. */
export function writeRulesFile(given: string, text: string | null): void {
  const path = linkedFile(given);
  const next = `${path}.new`;
  if (text === null) rmSync(given, { force: true });
  else {
    try {
      writeFileSync(next, text, { flush: true });
      renameSync(next, path);
    } catch (error) {
      rmSync(next, { force: true });
      throw error;
    }
  }
  syncPath(dirname(path));
}

/** Changes when the text does; '' where there is no file. */
export function rulesIdentity(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}
