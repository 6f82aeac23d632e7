/** Header blocks as WARC and HTTP/1 write them (RFC 9112, section 5), read leniently. */

import { isUtf8 } from 'node:buffer';
import { listIn } from '../../lib/kept.ts';

/** Values by lower-case name, in order of appearance. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** UTF-8 where the bytes are valid UTF-8, Latin-1 otherwise. */
export function decodeHeaderText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    isUtf8(bytes) ? 'utf8' : 'latin1',
  );
}

/** Lines without a colon are dropped; a line that starts with white space continues the one before. */
export function parseHeaderLines(lines: readonly string[]): Headers {
  const headers = new Map<string, string[]>();
  let last: string[] | null = null;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== null) last.push(`${last.pop()} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    last = listIn(headers, name);
    last.push(line.slice(colon + 1).trim());
  }
  return headers;
}

/** The first value; null where there is none or it is empty. */
export function firstValue(headers: Headers, name: string): string | null {
  return headers.get(name)?.[0] || null;
}

/** All values joined by a comma; null where there is none. */
export function joinedValue(headers: Headers, name: string): string | null {
  return headers.get(name)?.join(', ') || null;
}

/** `Text/HTML; charset="x"` → `text/html` and `x`, both lower case. */
export function parseContentType(value: string | null): { mediaType: string | null; charset: string | null } {
  if (value === null) return { mediaType: null, charset: null };
  const mediaType = /^[^;,\s]*/.exec(value.trim())![0].toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i.exec(value)?.[1]?.toLowerCase();
  return { mediaType: mediaType || null, charset: charset ?? null };
}

/** The target of a link, a parameter of it, or text in quotes that stands elsewhere. */
const LINK_PART = /<([^<>]*)>|;\s*([^\s=;,"<>]+)\s*=\s*(?:"([^"]*)"|([^\s;,"]+))|"[^"]*"/g;

/**
 * The target of the first `rel=canonical` in Link headers (RFC 8288), as given. One with an anchor speaks of another page,
 * and of several `rel` the first counts.
 */
export function canonicalLink(headers: Headers): string | null {
  let target = '';
  let parameters = new Map<string, string>();
  const isCanonical = () =>
    target !== '' &&
    !parameters.get('anchor') &&
    parameters.get('rel')?.split(/\s+/).includes('canonical') === true;
  for (const [, next, name, quoted, plain] of joinedValue(headers, 'link')?.matchAll(LINK_PART) ?? []) {
    if (next !== undefined) {
      if (isCanonical()) break;
      target = next.trim();
      parameters = new Map();
    } else if (name !== undefined && !parameters.has(name.toLowerCase()))
      parameters.set(name.toLowerCase(), (quoted ?? plain!).toLowerCase());
  }
  return isCanonical() ? target : null;
}
