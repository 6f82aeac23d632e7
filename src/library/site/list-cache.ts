/** The lists of a folder as an earlier run left them, while neither a page nor an option has changed. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { freshAgeMs } from '../../service/schemas/parameters/boost.ts';
import { PACKAGE_VERSION } from '../../store/package-version.ts';
import type { FolderPages } from './folder-pages.ts';
import type { ListForm, Making, SiteList, SiteLists } from './site-lists.ts';

const DAY_MS = 86_400_000;

/**
 * The lists as `siteLists` makes them; what makes them is loaded where there are none.
 *
 * @param cache folder of the lists; by default the one of the nearest node_modules, and none where there is none.
 * Errors  as `siteLists`.
 */
export async function cachedLists(
  folder: string,
  found: FolderPages,
  form: ListForm,
  cache = modulesCache(),
  how: Making = {},
): Promise<SiteLists & { readonly isCached: boolean; readonly cacheFault: string | null }> {
  const key = digestOf(resolve(folder)).slice(0, 16);
  const name = `${key}-${digestOf([PACKAGE_VERSION, found.digest, form, timeStep(form)]).slice(0, 32)}.json`;
  const kept = cache === null ? null : keptIn(join(cache, name));
  if (kept !== null) return { ...kept, isCached: true, cacheFault: null };
  const { siteLists } = await import('./site-lists.ts');
  const made = await siteLists(folder, found, form, how);
  const cacheFault = cache === null ? null : keep(made, cache, key, name);
  return { ...made, isCached: false, cacheFault };
}

/**
 * Number of the span of time in which lists with `boost` stay, by which fresh pages of one day are not those of another: a tenth of
 * its age, in which freshness is 1, or a day. 0 for other lists, which say nothing of the time.
 */
function timeStep({ filters: { boost } }: ListForm): number {
  const ageMs = boost === undefined ? null : freshAgeMs(boost);
  return ageMs === null ? 0 : Math.floor(Date.now() / Math.min(DAY_MS, ageMs / 10));
}

/** Null where no run left them, or a machine that stopped left them cut off. */
function keptIn(file: string): SiteLists | null {
  if (!existsSync(file)) return null;
  try {
    const { lists, marks } = JSON.parse(readFileSync(file, 'utf8')) as Kept;
    return { lists: new Map(lists), marks };
  } catch {
    return null;
  }
}

interface Kept extends Omit<SiteLists, 'lists'> {
  readonly lists: readonly [string, SiteList | null][];
}

/** It takes the place of what other runs left of the folder. The lists are made: why they cannot be kept is said, null where they are. */
function keep({ lists, marks }: SiteLists, cache: string, key: string, name: string): string | null {
  try {
    mkdirSync(cache, { recursive: true });
    const next = join(cache, `${name}.${process.pid}`);
    writeFileSync(next, JSON.stringify({ lists: [...lists], marks } satisfies Kept));
    renameSync(next, join(cache, name));
    for (const other of readdirSync(cache)) {
      if (other.startsWith(`${key}-`) && other !== name) rmSync(join(cache, other), { force: true });
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The place of caches in the nearest node_modules, from the working folder up; null where there is none. */
export function modulesCache(): string | null {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'akin');
    if (folder === dirname(folder)) return null;
  }
}
