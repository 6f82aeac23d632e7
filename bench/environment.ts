import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../src/store/database.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Environment {
  readonly cpu: string;
  readonly coreCount: number;
  readonly node: string;
  /** Day of the run. */
  readonly date: string;
  /** With a plus where the sources differ from it. */
  readonly commit: string;
  /** Of the code that was measured; not in results of before it was noted. */
  readonly indexFormat?: number;
  readonly algorithmVersion?: number;
}

/** Whether the code of today was measured, as far as it writes the same index. */
export function isOfToday({ indexFormat, algorithmVersion }: Environment): boolean {
  return indexFormat === FORMAT_VERSION && algorithmVersion === ALGORITHM_VERSION;
}

/** What was measured, in a few words. */
export function versionsOf({ indexFormat, algorithmVersion }: Environment): string {
  const algorithms = algorithmVersion === undefined ? '' : `, algorithms ${algorithmVersion}`;
  return `index format ${indexFormat ?? '(not noted)'}${algorithms}`;
}

export function environment(): Environment {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    coreCount: cores.length,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    indexFormat: FORMAT_VERSION,
    algorithmVersion: ALGORITHM_VERSION,
  };
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'src') !== '';
    return git('rev-parse', '--short=10', 'HEAD') + (changed ? '+' : '');
  } catch {
    return 'unknown';
  }
}
