import { readFileSync } from 'node:fs';
import { ConfigError } from '../../errors.ts';
import { KeyRing, readKeys, type Scope, settingKey } from '../../service/keys/key-ring.ts';
import type { Config } from './config.ts';

/** Not settings like others: `akin config` prints those, and a flag stands in the list of processes. */
const VARIABLES: readonly (readonly [name: string, scope: Scope])[] = [
  ['AKIN_READ_KEY', 'read'],
  ['AKIN_WRITE_KEY', 'write'],
];

/** The keys of callers; null where there are none. Errors  ConfigError AKIN_ERR_CONFIG. */
export function keysOf(
  { keyFile }: Pick<Config, 'keyFile'>,
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
): KeyRing | null {
  const given = VARIABLES.flatMap(([name, scope]) => (env[name] ? [settingKey(name, env[name], scope)] : []));
  const keys = keyFile === '' ? given : [...given, ...readKeys(contentsOf(keyFile), keyFile)];
  if (keys.length === 0 && keyFile === '') return null;
  if (keys.length > 0) return new KeyRing(keys);
  throw new ConfigError('AKIN_ERR_CONFIG', `${keyFile} has no key`, {
    hint: 'akin key new --name NAME --scope SCOPE prints a line for it; leave --keys out to serve without keys',
  });
}

function contentsOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError('AKIN_ERR_CONFIG', `cannot read the keys ${path}: ${(cause as Error).message}`, {
      hint: 'akin key new --name NAME --scope SCOPE prints lines for such a file',
      cause,
    });
  }
}
