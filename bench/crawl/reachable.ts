/**
 * What a crawler should find in a web of answers: reached link by link with another HTML parser and rules written down
 * once more, so that an error of the crawler does not excuse itself.
 */
import { Parser } from 'htmlparser2';
import { canonicalUrl } from '../../src/url/canonical-url.ts';
import { type Answer, ROBOTS_HOST } from './uci-web.ts';

const MAX_REDIRECTS = 10;

/** URLs to be asked for, each once; those that the web has, and those that it has not. */
interface Reachable {
  readonly found: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
}

export function reachable(
  web: ReadonlyMap<string, Answer>,
  seeds: readonly string[],
  sites: readonly string[],
): Reachable {
  const redirects = new Map(seeds.map((url) => [url, 0]));
  const found = new Set<string>();
  const missing = new Set<string>();
  const open = [...seeds];
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (isForbidden(url)) continue;
    const answer = web.get(url);
    (answer === undefined ? missing : found).add(url);
    if (answer === undefined) continue;
    const isRedirect = 'location' in answer;
    const hops = isRedirect ? redirects.get(url)! + 1 : 0;
    if (hops > MAX_REDIRECTS) continue;
    for (const target of isRedirect ? [answer.location] : linksOf(answer.body.toString(), url)) {
      const next = canonicalUrl(target, url);
      if (next === null || redirects.has(next) || !isInside(next, sites) || isTrap(next)) continue;
      redirects.set(next, hops);
      open.push(next);
    }
  }
  return { found, missing };
}

function linksOf(html: string, url: string): string[] {
  const targets: string[] = [];
  let base: string | null = null;
  let isClosed = false;
  let canonical: string | null = null;
  let refresh: string | null = null;
  // Links in noscript are some, what else it holds is not read.
  let noscripts = 0;
  const parser = new Parser({
    onclosetag(name) {
      if (name === 'noscript') noscripts--;
    },
    onopentag(name, { href, src, rel = '', name: meta = '', 'http-equiv': header = '', content = '' }) {
      if (name === 'noscript') noscripts++;
      if (noscripts > 0 && name !== 'a' && name !== 'area') return;
      if (name === 'base') base ??= href ?? null;
      if (name === 'frame' && src !== undefined) targets.push(src);
      if (name === 'meta' && /^refresh$/i.test(header)) refresh ??= sentTo(content);
      if (name === 'meta' && /^(robots|akin)$/i.test(meta.trim()))
        isClosed ||= /\b(nofollow|none)\b/i.test(content);
      if (href === undefined) return;
      if (name === 'link' && href.trim() !== '' && rel.toLowerCase().split(/\s+/).includes('canonical'))
        canonical ??= href;
      if ((name === 'a' || name === 'area') && !/(^|\s)(nofollow|ugc|sponsored)(\s|$)/i.test(rel))
        targets.push(href);
    },
  });
  parser.end(html);
  const from = URL.parse(base ?? '', url)?.href ?? url;
  const sent = [canonical, refresh].filter((one) => one !== null);
  const all = [...(isClosed ? [] : targets), ...sent];
  return all.flatMap((target) => URL.parse(target, /^https?:/.test(from) ? from : url)?.href ?? []);
}

/** `5; url='next.html'` sends to next.html. */
function sentTo(content: string): string | null {
  const written = content.split(/url\s*=\s*/i)[1];
  return written?.replaceAll(/["']/g, '') ?? null;
}

function isInside(url: string, sites: readonly string[]): boolean {
  const { hostname } = new URL(url);
  return sites.some((site) => hostname === site || hostname.endsWith(`.${site}`));
}

function isForbidden(url: string): boolean {
  const { host, pathname, search } = new URL(url);
  return host === ROBOTS_HOST && /version=/.test(pathname + search) && !search.endsWith('?version=1');
}

function isTrap(url: string): boolean {
  if (url.length > 1024) return true;
  const segments = url.replace(/\?.*$/, '').split('/').slice(3);
  if (segments.length > 24) return true;
  return segments.some((one) => !/^\d*$/.test(one) && segments.filter((other) => other === one).length > 2);
}
