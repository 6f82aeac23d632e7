/** Indexes that the tests of one file ask for again and again: each is built once, and copied. */
import { createHash } from 'node:crypto';
import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './new-folder.ts';

let folder: string | null = null;
const made = new Map<string, Promise<unknown>>();

/**
 * What `build` gives, and its index at `target`: a copy where `parameters`, all that the index is made from, were asked
 * for before.
 */
export async function builtOnce<Result>(
  parameters: unknown,
  target: string,
  build: (path: string) => Promise<Result>,
): Promise<Result> {
  folder ??= newFolder('built');
  const path = join(folder, createHash('sha256').update(JSON.stringify(parameters)).digest('hex'));
  const building = made.get(path) ?? build(path);
  made.set(path, building);
  const result = await building;
  // Renamed, so that a server of what stands at the target keeps its file.
  copyFileSync(path, `${target}.copy`);
  renameSync(`${target}.copy`, target);
  return result as Result;
}
