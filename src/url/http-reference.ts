/** The references of a page as absolute URLs, and as canonical ones. */

import { canonicalUrl, MAX_URL_LENGTH, plainCanonicalUrl } from './canonical-url.ts';

/** What stands before a colon may be a scheme; a query alone leaves the page. */
const ODD_START = /^(?:\?|[^/?]*:)/;

/** The parser skips blanks before it. */
const SCHEME = /^[\0- ]*([a-z][a-z\d+.-]*):/i;

/** Stands for the URL of a reference that is too long, or would become it. */
export const TOO_LONG = '';

/**
 * Absolute form of an http(s) reference; null for any other, for none, and where reference or result are longer than
 * MAX_URL_LENGTH before their fragments.
 */
export function resolveHttp(reference: string | null, base: string): string | null {
  if (reference === null || isTooLong(reference)) return null;
  const url = parseHttp(reference, base);
  return url === null || isTooLong(url) ? null : url;
}

function parseHttp(reference: string, base: string): string | null {
  const url = URL.parse(reference, base);
  return url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') ? null : url.href;
}

function isTooLong(url: string): boolean {
  if (url.length <= MAX_URL_LENGTH) return false;
  const hash = url.lastIndexOf('#', MAX_URL_LENGTH);
  return hash < 0;
}

/** `data:`, `mailto:` and the like. */
function hasOtherScheme(reference: string): boolean {
  const scheme = SCHEME.exec(reference)?.[1]?.toLowerCase();
  return scheme !== undefined && scheme !== 'http' && scheme !== 'https';
}

/**
 * The canonical URLs of many references of one page.
 *
 * Nearly all are written as the parser would write them back: joined to the base by hand they are canonical, which one
 * expression tells. What it does not know takes the full way.
 */
export class CanonicalResolver {
  readonly #base: string;
  /** The base up to its host, up to its path, up to its last slash; empty where it is no http(s) URL. */
  readonly #scheme: string;
  readonly #root: string;
  readonly #folder: string;
  #own: string | null | undefined;

  /** @param base absolute URL of the page, or what its `<base>` says. */
  constructor(base: string) {
    this.#base = base;
    const isPlain = !base.includes('#') && plainCanonicalUrl(base) !== null;
    const parsed = isPlain ? base : (parseHttp(base, base) ?? '');
    const path = parsed.indexOf('/', parsed.indexOf('//') + 2);
    const bare = /^[^?#]*/.exec(parsed)![0];
    this.#scheme = parsed.slice(0, parsed.indexOf('/'));
    this.#root = parsed.slice(0, path);
    this.#folder = bare.slice(0, bare.lastIndexOf('/') + 1);
  }

  /**
   * Null for what is no http(s) URL or has no canonical form, TOO_LONG for what is longer than MAX_URL_LENGTH before its
   * fragment.
   */
  resolve(reference: string): string | null {
    const hash = reference.indexOf('#');
    const bare = hash < 0 ? reference : reference.slice(0, hash);
    if (bare.length > MAX_URL_LENGTH) return hasOtherScheme(bare) ? null : TOO_LONG;
    if (bare === '') return (this.#own ??= this.#parse(''));
    const joined = this.#folder === '' ? null : this.#join(bare);
    return (joined === null ? null : plainCanonicalUrl(joined)) ?? this.#parse(reference);
  }

  /** What a reference means if its result is plain; null where only the parser knows. */
  #join(bare: string): string | null {
    if (bare.startsWith('/')) return bare.startsWith('//') ? this.#scheme + bare : this.#root + bare;
    if (bare.startsWith('http://') || bare.startsWith('https://')) return bare;
    let folder = this.#folder;
    let from = 0;
    for (; bare.startsWith('../', from); from += 3) {
      if (folder.length > this.#root.length + 1)
        folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    }
    if (ODD_START.test(bare)) return null;
    return folder + (from === 0 ? bare : bare.slice(from));
  }

  #parse(reference: string): string | null {
    const url = parseHttp(reference, this.#base);
    if (url === null) return null;
    return isTooLong(url) ? TOO_LONG : canonicalUrl(url);
  }
}
