/**
 * Puts the shards of an index in the places of those before as one step: a kill leaves all old ones to be served or all new ones.
 *
 *   made elsewhere in the folder ─> `shards.publishing`, by one rename: from then on the new ones count ─> each in its place
 *
 * Who opens shards has them put in place first, so the second step is taken to its end whoever began it.
 */
import { existsSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { optionFault } from '../errors.ts';
import { syncPath } from './sync-path.ts';

const NEXT = 'shards.publishing';
export const INDEX_NAME = /\.akin$/;

/** @param made a folder below `folder` that has the finished files under the names that they are to have; where it is gone, it was published. */
export function publishShards(made: string, folder: string): void {
  finishShards(folder);
  if (existsSync(made)) {
    syncPath(made);
    renameSync(made, join(folder, NEXT));
    syncPath(folder);
  }
  finishShards(folder);
}

/** Puts those in place that a process which has ended left behind. Errors  InputError AKIN_ERR_OPTION where that is not allowed. */
export function finishShards(folder: string): void {
  const next = join(folder, NEXT);
  try {
    const names = readdirSync(next).filter((name) => INDEX_NAME.test(name));
    for (const name of names) passing(['ENOENT'], () => renameSync(join(next, name), join(folder, name)));
    syncPath(folder);
    passing(['ENOENT', 'ENOTEMPTY'], () => rmdirSync(next));
  } catch (cause) {
    if (isOf(cause, ['ENOENT', 'ENOTDIR'])) return;
    throw optionFault(
      `the shards in ${next} cannot be put in place: ${String(cause)}`,
      `move them to ${folder}, in the places of those that are there`,
      cause,
    );
  }
}

/** What another process has done meanwhile is done. */
function passing(codes: readonly string[], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isOf(error, codes)) throw error;
  }
}

function isOf(error: unknown, codes: readonly string[]): boolean {
  return codes.includes(String((error as NodeJS.ErrnoException).code));
}
