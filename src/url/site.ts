import { getDomain, getPublicSuffix } from 'tldts';
import { canonicalUrl } from './canonical-url.ts';

/** Hosts remembered; a crawl meets few hosts many times. Cleared when full, so memory stays bounded. */
const CACHE_LIMIT = 50_000;
const siteByHost = new Map<string, string>();

const OPTIONS = { extractHostname: false, validateHostname: false, allowPrivateDomains: true } as const;

/**
 * The site of a canonical URL: its registrable domain (public suffix and one label).
 *
 * Private suffixes count, so that `a.github.io` and `b.github.io` are two sites. Unlisted top levels
 * count as public suffixes (`a.b.example` is of `b.example`). Where there is no registrable domain
 * (IP addresses, `localhost`, a bare public suffix) the host itself is the site; the port never counts.
 *
 * Errors  none: text without a host gives the empty string.
 * Source  publicsuffix.org, the list as carried by tldts.
 */
export function siteOf(url: string): string {
  const host = hostOf(url);
  const known = siteByHost.get(host);
  if (known !== undefined) return known;
  const site = host.startsWith('[') ? host : (getDomain(host, OPTIONS) ?? host);
  if (siteByHost.size >= CACHE_LIMIT) siteByHost.clear();
  siteByHost.set(host, site);
  return site;
}

/** Host name without port; relies on the canonical form (no credentials, always a path). */
export function hostOf(url: string): string {
  const scheme = url.indexOf('://');
  if (scheme < 0) return '';
  const start = scheme + 3;
  const slash = url.indexOf('/', start);
  const end = slash < 0 ? url.length : slash;
  const bracket = url.charCodeAt(start) === 91 ? url.indexOf(']', start) : -1;
  const colon = url.indexOf(':', bracket < 0 ? start : bracket);
  return url.slice(start, colon >= 0 && colon < end ? colon : end);
}

/** A host, and what may follow it in a URL. */
const HOST = /^(?:https?:\/\/)?([^\s/?#\\]+)(?:[/?#]\S*)?$/i;
/** Letters, digits, `-` and `_`: what names of hosts are made of in the form that URLs have them; or an address of IPv6. */
const HOST_NAME = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/;

/** The host that somebody names, by a URL of it too; null for what is no name of a host. */
export function hostNamed(text: string): string | null {
  const given = HOST.exec(text)?.[1];
  const url = given === undefined ? null : canonicalUrl(`http://${given}/`);
  const host = url === null ? '' : hostOf(url);
  return HOST_NAME.test(host) ? host : null;
}

/** A site in its one form; null for what is none. */
export function siteNamed(name: string): string | null {
  const url = canonicalUrl(`http://${name}/`);
  const site = url === null ? '' : siteOf(url);
  return url === `http://${site}/` ? site : null;
}

/** Whether sites end with it, so that it is none by its name: `edu`, `co.uk`, `github.io`. */
export function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, OPTIONS) === host;
}

/** Whether a host is one of `wanted`, where there are any, and none of `unwanted`; subdomains go with their hosts. */
export function isAtHosts(host: string, wanted: readonly string[], unwanted: readonly string[]): boolean {
  const isUnder = (one: string) => host === one || host.endsWith(`.${one}`);
  return (wanted.length === 0 || wanted.some(isUnder)) && !unwanted.some(isUnder);
}

/** Where pages have one host, and one way to it: `https://example.org/`; relies on the canonical form. */
export function rootOf(url: string): string {
  return url.slice(0, url.indexOf('/', url.indexOf('//') + 2) + 1);
}
