/** Keys of callers: what each opens, for how long, and for which site. A key itself is kept nowhere, only its digest. */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../../errors.ts';
import { utcMs } from '../../lib/utc-ms.ts';
import { namesValues } from '../../page/fields/field-condition.ts';
import { siteNamed } from '../../url/site.ts';

/**
 * Each opens what those before it open, too. read: what a page shows, so that it may stand in a page; write: all questions, and
 * changes of pages; operate: everything at once and the figures of the service.
 */
export const SCOPES = ['read', 'write', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

export interface Key {
  /** For logs; keys may share it. */
  readonly name: string;
  readonly scope: Scope;
  /** From then on it opens nothing; null for never. */
  readonly expiresMs: number | null;
  /** The one site whose pages it asks about and is answered with; null for any. */
  readonly site: string | null;
  /** The same of a field, `NAME=VALUE`: the pages of one tenant; null for any. */
  readonly field: string | null;
  readonly digest: Buffer;
}

/** A shorter one could be found by trying. */
const LEAST_KEY_CHARS = 20;
const KEY_BYTES = 32;
const MEMBERS = ['name', 'scope', 'sha256', 'expires', 'site', 'field'];

/** Whether a key of the first scope opens what asks for the second. */
export function opens(scope: Scope, wanted: Scope): boolean {
  return SCOPES.indexOf(scope) >= SCOPES.indexOf(wanted);
}

export class KeyRing {
  /** Whether questions need a key: so it is where one for pages is out, or one for some pages alone. */
  readonly guardsReads: boolean;
  readonly canWrite: boolean;
  readonly #keys: readonly Key[];

  constructor(keys: readonly Key[]) {
    this.#keys = keys;
    this.guardsReads = keys.some(({ scope, field }) => scope === 'read' || field !== null);
    this.canWrite = keys.some(({ scope }) => opens(scope, 'write'));
  }

  /** The key of a text; null where it is none, or one no more. Compares with every digest, each in constant time. */
  find(text: string, nowMs: number): Key | null {
    const digest = digestOf(text);
    let found: Key | null = null;
    for (const key of this.#keys) {
      const isLive = key.expiresMs === null || nowMs < key.expiresMs;
      if (timingSafeEqual(key.digest, digest) && isLive) found = key;
    }
    return found;
  }
}

/** A key that stands in a setting. Errors  ConfigError AKIN_ERR_CONFIG where it is too short. */
export function settingKey(name: string, text: string, scope: Scope): Key {
  if (text.length < LEAST_KEY_CHARS || !/^[\x21-\x7e]+$/.test(text)) {
    throw new ConfigError(
      'AKIN_ERR_CONFIG',
      `${name} is no key: it must be ${LEAST_KEY_CHARS} or more characters without spaces`,
      { hint: 'akin key new --name NAME --scope SCOPE prints one' },
    );
  }
  return { name, scope, expiresMs: null, site: null, field: null, digest: digestOf(text) };
}

export interface NewKey {
  readonly name: string;
  readonly scope: Scope;
  /** A date, or a time with its zone. */
  readonly expires?: string;
  readonly site?: string;
  readonly field?: string;
}

/** A key, and the line that lets it in. Errors  ConfigError AKIN_ERR_CONFIG for what no line can say. */
export function newKey(
  order: NewKey,
): Pick<Key, 'expiresMs'> & { readonly key: string; readonly line: string } {
  const key = `akin_${randomBytes(KEY_BYTES).toString('base64url')}`;
  const line = JSON.stringify({ ...order, sha256: digestOf(key).toString('hex') });
  const refused = (what: string) =>
    new ConfigError('AKIN_ERR_CONFIG', `--${what}`, { hint: 'akin help key shows what a key may say' });
  const { expiresMs } = keyOf(line, refused);
  return { key, line, expiresMs };
}

/**
 * The keys of a file: a JSON object a line. Empty lines, and lines that begin with #, say nothing.
 *
 * Errors  ConfigError AKIN_ERR_CONFIG, with the number of the line, and nothing of what it holds.
 */
export function readKeys(text: string, path: string): Key[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const fault = (what: string) =>
      new ConfigError('AKIN_ERR_CONFIG', `${path}, line ${i + 1}: ${what}`, {
        hint: 'akin key new --name NAME --scope SCOPE prints such a line',
      });
    return [keyOf(line, fault)];
  });
}

function keyOf(line: string, fault: (what: string) => ConfigError): Key {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw fault('it is no JSON object');
  }
  if (typeof value !== 'object' || value === null) throw fault('it is no JSON object');
  const { name, scope, sha256, expires, site, field } = value as Record<string, unknown>;
  if (Object.keys(value).some((member) => !MEMBERS.includes(member)))
    throw fault(`its members can be ${MEMBERS.join(', ')}`);
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name))
    throw fault('name must be 1 to 64 letters, digits and ._-');
  if (!SCOPES.includes(scope as Scope)) throw fault(`scope must be one of ${SCOPES.join(', ')}`);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw fault('sha256 must be 64 digits 0-9a-f');
  const expiresMs = expires === undefined ? null : utcMs(String(expires));
  if (Number.isNaN(expiresMs)) throw fault('expires must be a date or a time, such as 2030-01-31');
  if (site !== undefined && (typeof site !== 'string' || siteNamed(site) === null))
    throw fault('site must be a registrable domain, such as example.org');
  if (field !== undefined && (typeof field !== 'string' || !namesValues(field)))
    throw fault('field must be NAME=VALUE, such as tenant=acme');
  return {
    name,
    scope: scope as Scope,
    expiresMs,
    site: site === undefined ? null : siteNamed(site as string),
    field: field === undefined ? null : (field as string),
    digest: Buffer.from(sha256, 'hex'),
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
