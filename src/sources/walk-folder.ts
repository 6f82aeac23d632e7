/** The files below a folder in the byte order of their paths, one directory's names in memory at a time (and its parents'). */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

export interface FoundFile {
  readonly absolute: Buffer;
  /** Below the folder. */
  readonly relative: Buffer;
  /** Why this cannot be read, be it a file, a link or a folder; null for a file. */
  readonly error: string | null;
}

interface Walk {
  /** Where links may lead: below this path, with its slash at the end; null for anywhere. */
  readonly bound: Buffer | null;
  /** Folders that links led to. */
  readonly linked: Set<string>;
}

const SLASH = Buffer.from('/');

/**
 * Passes over names that start with a dot. What is neither file nor folder is not opened. A linked folder is entered
 * once, and never from inside itself.
 *
 * @param followLinks whether links may lead out of the folder.
 * Errors  none but those of the folder itself: what cannot be read is found with its error.
 */
export function walkFolder(path: string, followLinks: boolean): Generator<FoundFile> {
  const bound = followLinks ? null : Buffer.from(join(realpathSync(path), '/'));
  return walk(Buffer.from(path), Buffer.alloc(0), [], { bound, linked: new Set() });
}

function* walk(
  folder: Buffer,
  prefix: Buffer,
  above: readonly string[],
  state: Walk,
): Generator<FoundFile, void> {
  let entries: Entry[];
  let parents: string[];
  try {
    parents = [...above, identityOf(statSync(folder))];
    entries = sortedEntries(folder, state.bound);
  } catch (error) {
    yield { absolute: folder, relative: prefix, error: (error as Error).message };
    return;
  }
  for (const { name, isFolder, linkTarget, error } of entries) {
    const absolute = Buffer.concat([folder, SLASH, name]);
    const relative = Buffer.concat([prefix, name]);
    if (!isFolder) {
      yield { absolute, relative, error };
      continue;
    }
    if (linkTarget !== null) {
      if (parents.includes(linkTarget) || state.linked.has(linkTarget)) continue;
      state.linked.add(linkTarget);
    }
    yield* walk(absolute, Buffer.concat([relative, SLASH]), parents, state);
  }
}

interface Entry {
  readonly name: Buffer;
  readonly isFolder: boolean;
  /** Which folder a link leads to. */
  readonly linkTarget: string | null;
  readonly error: string | null;
}

/** A folder sorts as its name and a slash, as it does in a path. */
function sortedEntries(folder: Buffer, bound: Buffer | null): Entry[] {
  const sortKey = ({ name, isFolder }: Entry) => (isFolder ? Buffer.concat([name, SLASH]) : name);
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
    .filter(({ name }) => name[0] !== 0x2e)
    .map((dirent) => entryOf(folder, dirent, bound))
    .sort((a, b) => Buffer.compare(sortKey(a), sortKey(b)));
}

function entryOf(folder: Buffer, dirent: Dirent<Buffer>, bound: Buffer | null): Entry {
  const { name } = dirent;
  const file = { name, isFolder: false, linkTarget: null, error: null };
  if (dirent.isDirectory()) return { ...file, isFolder: true };
  if (dirent.isFile()) return file;
  if (!dirent.isSymbolicLink()) return { ...file, error: NO_FILE };
  try {
    const path = Buffer.concat([folder, SLASH, name]);
    const target = statSync(path);
    const real = Buffer.concat([realpathSync.native(path, 'buffer'), SLASH]);
    if (bound !== null && !real.subarray(0, bound.length).equals(bound)) {
      return { ...file, error: LEADS_OUT };
    }
    if (target.isDirectory()) return { ...file, isFolder: true, linkTarget: identityOf(target) };
    return target.isFile() ? file : { ...file, error: NO_FILE };
  } catch (error) {
    return { ...file, error: (error as Error).message };
  }
}

/** Of a link that is not followed. */
export const LEADS_OUT = 'a link that leads out of the folder';
const NO_FILE = 'a pipe, a socket or a device';

function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}
