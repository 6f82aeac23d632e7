import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type InputError, optionFault } from '../../errors.ts';
import { lockFile } from '../../store/lock.ts';
import type { StageRecord } from '../../store/records.ts';
import { syncPath } from '../../store/sync-path.ts';
import { type Disk, SYSTEM_DISK } from './disk.ts';

/**
 * The folder beside the target in which a build lives until it is published.
 *
 * `manifest.json` says which stages are complete and what they found; it is replaced whole, after the files
 * of the stage are on disk. A build that is killed leaves the complete stages: the next one with the same
 * options and the same inputs continues after them, any other starts clean. One that takes the place of its own input has
 * another key once it is published; the manifest names that, too, so that who asks again adds nothing twice.
 *
 * A folder is emptied only where it is ours: it holds a manifest of a build, or nothing yet but the lock. The manifest
 * is written first and removed last.
 */

interface Manifest {
  readonly key: string;
  /** Of the same order once the build is published; missing before, and where that changes none of its inputs. */
  publishedKey?: string;
  readonly startedAtMs: number;
  stages: Record<string, { readonly stage: StageRecord; readonly result: unknown }>;
}

/** Where the files of a build are, for threads that read and write some of them. */
export interface WorkFiles {
  file(name: string): string;
  /** Default that of the machine. */
  readonly disk?: Disk;
}

export function workFiles(folderPath: string): WorkFiles {
  return { file: (name) => join(folderPath, name) };
}

export function diskOf({ disk }: WorkFiles): Disk {
  return disk ?? SYSTEM_DISK;
}

/** The files of a whole build. */
export interface BuildFiles extends WorkFiles {
  /** For threads. */
  readonly path: string;
  /** When the build began; it goes on under that time after a kill. */
  readonly startedAtMs: number;
  remove(...names: string[]): void;
}

const MANIFEST = 'manifest.json';
const NEXT_MANIFEST = 'manifest.json.next';
const LOCK = 'lock.sqlite';
/** The key of a build that is never resumed, whose stages need not be noted. */
const ONCE = 'once';

export class WorkFolder implements BuildFiles {
  readonly path: string;
  #manifest: Manifest;
  #isPublished: boolean;
  readonly #lock: { release(): void };

  private constructor(path: string, manifest: Manifest, lock: { release(): void }, isPublished = false) {
    this.path = path;
    this.#isPublished = isPublished;
    this.#manifest = manifest;
    this.#lock = lock;
  }

  /**
   * Opens the folder beside a target, for the build that a key names (see build-key.ts); without one it is never resumed.
   *
   * Errors  TransientError AKIN_ERR_INDEX_BUSY while another build of this target runs; InputError AKIN_ERR_OPTION
   *         where the folder is not ours or is a symbolic link.
   */
  static open(target: string, key: string | null, nowMs: number): WorkFolder {
    const path = `${target}.work`;
    makeFolder(path);
    const lock = lockFile(join(path, LOCK), target);
    const found = readManifest(path);
    const isPublished = found?.publishedKey === key;
    if (found !== null && (found.key === key || isPublished) && Object.keys(found.stages).length > 0)
      return new WorkFolder(path, found, lock, isPublished);
    const folder = new WorkFolder(path, { key: key ?? ONCE, startedAtMs: nowMs, stages: {} }, lock);
    folder.restart();
    return folder;
  }

  /** Whether an earlier run had published what is asked for, and was killed behind that. */
  get isPublished(): boolean {
    return this.#isPublished;
  }

  /** To be called before what is made takes the places of inputs. @param key of the same order from then on. */
  publishes(key: string | null): void {
    if (key === null || this.#manifest.key === ONCE) return;
    this.#manifest.publishedKey = key;
    this.#save();
  }

  /** Begins again. Files of another build may outlive a kill in here: a manifest without stages says that they count for nothing. */
  restart(): void {
    this.#manifest.stages = {};
    delete this.#manifest.publishedKey;
    this.#isPublished = false;
    this.#save();
    this.#clear();
  }

  #clear(): void {
    for (const name of readdirSync(this.path)) {
      if (name !== MANIFEST && !name.startsWith(LOCK)) rmSync(this.file(name), { recursive: true });
    }
  }

  #save(): void {
    const next = this.file(NEXT_MANIFEST);
    rmSync(next, { force: true });
    writeFileSync(next, JSON.stringify(this.#manifest), { flag: 'wx', flush: true });
    renameSync(next, this.file(MANIFEST));
    syncPath(this.path);
  }

  get startedAtMs(): number {
    return this.#manifest.startedAtMs;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  isComplete(stage: string): boolean {
    return this.#manifest.stages[stage] !== undefined;
  }

  /** What a complete stage found: undefined where it found nothing to tell, or is not complete. */
  result<T>(stage: string): T | undefined {
    return this.#manifest.stages[stage]?.result as T | undefined;
  }

  stages(): StageRecord[] {
    return Object.values(this.#manifest.stages).map(({ stage }) => stage);
  }

  /** Notes a stage as complete; a killed build continues after it. */
  complete(stage: StageRecord, result: unknown): void {
    this.#manifest.stages[stage.name] = { stage, result };
    if (this.#manifest.key !== ONCE) this.#save();
  }

  remove(...names: string[]): void {
    for (const name of names) rmSync(this.file(name), { force: true, recursive: true });
  }

  /** Leaves what is done for the next run. */
  release(): void {
    this.#lock.release();
  }

  /** Throws the folder away: the index is published. */
  discard(): void {
    this.#clear();
    rmSync(this.file(MANIFEST), { force: true });
    // Still held while it is unlinked: who comes now finds a new lock, never an old one that is let go.
    for (const name of readdirSync(this.path))
      if (name.startsWith(LOCK)) rmSync(this.file(name), { force: true });
    this.#lock.release();
    try {
      rmdirSync(this.path);
    } catch {
      // The next build of this target is in it already.
    }
  }
}

/** Not `recursive`: where a folder may not be made, as below /proc, that never returns. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    requireOwnFolder(path);
  }
}

/** Another build may remove the folder meanwhile: what has disappeared has no owner, and the lock decides. */
function requireOwnFolder(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isSymbolicLink()) throw notOurs(path, `${path} is a symbolic link`);
  if (!stat.isDirectory()) throw notOurs(path, `${path} is no folder`);
  const stranger = namesIn(path).find((name) => !name.startsWith(LOCK) && name !== NEXT_MANIFEST);
  if (stranger === undefined || readManifest(path) !== null) return;
  if (lstatSync(join(path, stranger), { throwIfNoEntry: false }) === undefined) return;
  throw notOurs(path, `${path} holds ${stranger}, and no build left it there`);
}

/** Nothing where the folder has disappeared. */
function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function notOurs(path: string, what: string): InputError {
  return optionFault(
    `${what}: a build would empty this folder`,
    `move ${path} away, or give another --to FILE`,
  );
}

/** Null where there is none that a build wrote. */
function readManifest(path: string): Manifest | null {
  try {
    if (!lstatSync(join(path, MANIFEST)).isFile()) return null;
    const found = JSON.parse(readFileSync(join(path, MANIFEST), 'utf8')) as Partial<Manifest> | null;
    const isOurs =
      typeof found?.key === 'string' && typeof found.stages === 'object' && found.stages !== null;
    return isOurs ? (found as Manifest) : null;
  } catch {
    return null;
  }
}
