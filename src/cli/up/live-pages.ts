/** What `akin serve --writable` does beside serving. */
import { dirname, resolve } from 'node:path';
import { ConfigError, TransientError } from '../../errors.ts';
import type { LiveOptions } from '../../service/app.ts';
import type { KeyRing } from '../../service/keys/key-ring.ts';
import type { FoldRules } from '../../service/live/folds.ts';
import type { Config } from '../settings/config.ts';
import { EXIT } from '../terminal/process-end.ts';
import type { ChildCommands } from './child-commands.ts';

type Paths = string | readonly string[];
type Limits = 'maxPendingPages' | 'maxPendingBytes' | 'foldShare' | 'foldAfterMs';
type Rules = Pick<Config, 'host' | 'writable' | Limits>;

/** Of what a fold that failed says, the last lines: the fault and its hint. */
const FAULT_LINES = 2;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** Errors  ConfigError AKIN_ERR_CONFIG where there is no file for a flag that is for files. */
export function requireFiles(paths: Paths, flag: string): void {
  if ([paths].flat().length > 0) return;
  throw new ConfigError('AKIN_ERR_CONFIG', `${flag} is for files, not for servers of shards`, {
    hint: 'serve the files of all shards from one process',
  });
}

/**
 * What `akin add` changes: the one file, or the folder that has just the shards that are served.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG where they are not all that a folder has; as `shardsIn`.
 */
export async function targetOf(paths: Paths): Promise<string> {
  const [first, ...others] = [paths].flat() as [string, ...string[]];
  if (others.length === 0) return first;
  const { shardsIn } = await import('../../store/read/shard-files.ts');
  const folder = dirname(first);
  const found = new Set(shardsIn(folder).map((path) => resolve(path)));
  if (found.size === others.length + 1 && [first, ...others].every((path) => found.has(resolve(path))))
    return folder;
  throw new ConfigError('AKIN_ERR_CONFIG', `the shards are not those of ${folder}`, {
    hint: '--writable changes all shards in one step: put them in one folder, as akin split does',
  });
}

/** Errors  ConfigError AKIN_ERR_CONFIG where pages would be taken from anyone, or from no one. */
export function requireWriters({ host }: Pick<Rules, 'host'>, keys: KeyRing | null): void {
  if (keys === null ? LOOPBACK.test(host) : keys.canWrite) return;
  const what =
    keys === null ? `anyone who reaches ${host} could change the index` : 'no key has the scope write';
  throw new ConfigError('AKIN_ERR_CONFIG', `--writable: ${what}`, {
    hint: 'set AKIN_WRITE_KEY, or give --keys FILE a line that akin key new --name NAME --scope write prints',
  });
}

/** Folds pages in by `akin add`, in a process of its own that ends with this one; `archives` beside them. */
export function livePages(
  target: string,
  rules: Rules,
  children: ChildCommands,
  archives?: FoldRules['archives'],
): LiveOptions {
  // One for all folds: a signal takes it once.
  const end = () => children.stop();
  return {
    maxPending: rules.maxPendingPages,
    maxPendingBytes: rules.maxPendingBytes,
    share: rules.foldShare,
    waitMs: rules.foldAfterMs,
    isOpen: rules.writable,
    ...(archives && { archives }),
    run: async (inputs, sweep, stop, say) => {
      if (stop.aborted) return false;
      stop.addEventListener('abort', end, { once: true });
      const faults: string[] = [];
      const code = await children.run(['add', ...inputs, '--to', target, '--sweep', sweep], (line) => {
        say(line);
        if (/^(akin|hint): /.test(line)) faults.push(line.replace(/^akin: /, ''));
      });
      if (code === EXIT.ok || code === null) return code === EXIT.ok;
      const fault = faults.slice(-FAULT_LINES).join('; ') || `akin add ended with code ${code}`;
      if (code === EXIT.transient) throw new TransientError('AKIN_ERR_INDEX_BUSY', fault);
      throw new Error(fault);
    },
  };
}
