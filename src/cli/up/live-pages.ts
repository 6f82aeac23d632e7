/** What `akin serve --writable` does beside serving. */
import { ConfigError } from '../../errors.ts';
import type { LiveOptions } from '../../service/app.ts';
import type { KeyRing } from '../../service/keys/key-ring.ts';
import type { FoldRules } from '../../service/live/folds.ts';
import type { Config } from '../settings/config.ts';
import { EXIT } from '../terminal/process-end.ts';
import type { ChildCommands } from './child-commands.ts';

type Paths = string | readonly string[];
type Limits = 'maxPendingPages' | 'maxPendingBytes' | 'foldShare' | 'foldAfterMs';
type Rules = Pick<Config, 'host' | 'writable' | Limits>;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;

/** Errors  ConfigError AKIN_ERR_CONFIG where there are several files, or none, for a flag that is for one. */
export function requireOneFile(paths: Paths, flag: string): void {
  if ([paths].flat().length === 1) return;
  throw new ConfigError('AKIN_ERR_CONFIG', `${flag} is for one index file, not for shards`, {
    hint: 'serve the whole index',
  });
}

/** Errors  ConfigError AKIN_ERR_CONFIG where pages would be taken from anyone, or from no one. */
export function requireWriters({ host }: Pick<Rules, 'host'>, keys: KeyRing | null): void {
  if (keys === null ? LOOPBACK.test(host) : keys.canWrite) return;
  const what =
    keys === null ? `anyone who reaches ${host} could change the index` : 'no key has the scope write';
  throw new ConfigError('AKIN_ERR_CONFIG', `--writable: ${what}`, {
    hint: 'set AKIN_WRITE_KEY, or give --keys FILE a line that akin key new --scope write prints',
  });
}

/** Folds pages in by `akin add`, in a process of its own that ends with this one; `archives` beside them. */
export function livePages(
  paths: Paths,
  rules: Rules,
  children: ChildCommands,
  archives?: FoldRules['archives'],
): LiveOptions {
  const [target] = [paths].flat() as [string];
  return {
    maxPending: rules.maxPendingPages,
    maxPendingBytes: rules.maxPendingBytes,
    share: rules.foldShare,
    waitMs: rules.foldAfterMs,
    isOpen: rules.writable,
    ...(archives && { archives }),
    run: async (inputs, sweep, stop) => {
      if (stop.aborted) return false;
      stop.addEventListener('abort', () => children.stop(), { once: true });
      return (await children.run(['add', ...inputs, '--to', target, '--sweep', sweep])) === EXIT.ok;
    },
  };
}
