/** A build in a process of its own, to be killed, stopped and starved. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from '../../src/indexer/options/build-options.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { withoutUrls } from '../../src/indexer/options/without-urls.ts';
import { DEFAULTS } from './build.ts';

const CHILD = fileURLToPath(new URL('./build-child.ts', import.meta.url));
const FASTER = `--import=${new URL('../compile-cache.ts', import.meta.url)}`;

export interface ChildBuild {
  readonly process: ChildProcess;
  /** What it printed: stages as they start, then `generation X` or `error CODE`. */
  readonly ended: Promise<string>;
  /** Resolves when this line is out, or with the end of the process. */
  said(line: string): Promise<void>;
}

export type ChildOptions = Partial<BuildOptions> & Pick<BuildOptions, 'inputs' | 'target'>;

/** `limit` is a shell command that goes before, such as `ulimit -f 16`. */
export function startBuild(options: ChildOptions, limit = '', nodeFlags: readonly string[] = []): ChildBuild {
  const args = [FASTER, ...nodeFlags, CHILD, JSON.stringify({ ...DEFAULTS, ...options })];
  return watch(
    limit === ''
      ? spawn(process.execPath, args)
      : spawn('bash', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...args]),
  );
}

/** Adds a file of JSON lines as the next sweep. */
export function startAdd(target: string, path: string): ChildBuild {
  const options = additionTo({
    target,
    inputs: [{ path, baseUrl: null, format: null }],
    sweepName: '',
    memoryBytes: 64 << 20,
    workerCount: 1,
  });
  return startBuild(options);
}

/** Forgets a page. */
export function startForget(target: string, url: string): ChildBuild {
  return startBuild(withoutUrls({ target, memoryBytes: 64 << 20, workerCount: 1 }, [url]).options);
}

function watch(child: ChildProcess): ChildBuild {
  let output = '';
  const waiting: { line: string; resolve: () => void }[] = [];
  const take = (chunk: Buffer) => {
    output += chunk.toString();
    for (const { line, resolve } of waiting) if (output.includes(line)) resolve();
  };
  child.stdout!.on('data', take);
  child.stderr!.on('data', take);
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
  return {
    process: child,
    ended,
    async said(line) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ line, resolve });
      take(Buffer.alloc(0));
      await Promise.race([promise, ended]);
    },
  };
}
