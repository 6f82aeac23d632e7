/**
 * Reads sitemaps: lists of pages, or lists of sitemaps (sitemaps.org), in the forms that the protocol names: its own XML, a text
 * with a URL a line, RSS and Atom. Only the elements below count; whatever else stands in the file is passed over, and a broken
 * file gives what stands before the break.
 *
 * A reader of one element needs no XML parser: it has no children, and but for `href` its attributes name no page. Of the sitemap's
 * own form, elements of other namespaces, such as those of images, may have a `loc` as well: names and nesting are followed there.
 */
import { gunzipSync } from 'node:zlib';
import type { Exchange } from '../../net/exchange.ts';
import type { Headers } from '../../sources/http/headers.ts';
import { decodedText } from './read-response.ts';

/** What the protocol allows in one file. */
export const MAX_SITEMAP_BYTES = 50 * 2 ** 20;
const MAX_URLS = 50_000;
/** Of elements in one another the last are followed. */
const MAX_OPEN = 64;

export interface Sitemap {
  /** Whether its URLs are those of sitemaps. */
  readonly isIndex: boolean;
  /** As given. */
  readonly urls: readonly string[];
  /** Whether it has more of them than the protocol allows. */
  readonly isCut: boolean;
}

type Content = Pick<Exchange, 'headers' | 'body'>;

/** Null for what is no sitemap. */
export function readSitemap(exchange: Content, headers: Headers): Sitemap | null {
  const decoded = decodedText(unzipped(exchange), headers, 'utf-8', MAX_SITEMAP_BYTES);
  if (decoded === null) return null;
  const text = withoutComments(decoded);
  const root = ROOT.exec(text.slice(0, HEAD_CHARACTERS));
  if (root === null) return linesOf(text);
  const { name = '' } = root.groups!;
  const urls: string[] = [];
  let isCut = false;
  for (const inner of name === 'rss' || name === 'feed' ? linksOf(text, name) : locationsOf(text, root)) {
    isCut = urls.length === MAX_URLS;
    if (isCut) break;
    const url = inner.replace(/^\s*<!\[CDATA\[(.*)\]\]>\s*$/s, '$1').trim();
    urls.push(inner.includes('CDATA') ? url : unescapeXml(url));
  }
  return { isIndex: name === 'sitemapindex', urls, isCut };
}

/** Whether a body is a sitemap or a feed by its first element. */
export function isSitemap(exchange: Content, headers: Headers): boolean {
  const text = decodedText(unzipped(exchange), headers, 'utf-8', MAX_SITEMAP_BYTES);
  if (text === null) return false;
  const head = withoutComments(text.slice(0, HEAD_CHARACTERS));
  return ROOT.exec(head.replace(/^\ufeff?\s*(?:<[?!][^<>]*>\s*)*/, ''))?.index === 0;
}

const HEAD_CHARACTERS = 65_536;
const ROOT = /<(?:(?<prefix>[\w.-]+):)?(?<name>urlset|sitemapindex|rss|feed)(?<attributes>\s[^<>]*)?>/;

/** Of each feed, what holds a URL. */
const LINKS = {
  rss: /<link>([^<]*|\s*<!\[CDATA\[[^<]*?\]\]>\s*)<\//g,
  feed: /<link\s[^<>]*?\bhref\s*=\s*["']([^"'<>]*)["']/g,
};

function* linksOf(text: string, name: keyof typeof LINKS): Generator<string> {
  for (const [, inner] of text.matchAll(LINKS[name])) yield inner!;
}

const NAMESPACE = /\bxmlns(?::([\w.-]+))?\s*=\s*["']http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9["']/g;
const TAG = /<(\/?)([\w.:-]+)(?:[\s/][^<>]*)?>/g;
// bounded: looked at behind a tag alone, up to the next one.
const CONTENT = /([^<]*|\s*<!\[CDATA\[[^<]*?\]\]>\s*)<\//y;

/** What stands in each `loc` that is a child of a `url` or `sitemap`, or of the root itself, all of its prefix or of one bound to its namespace. */
function* locationsOf(text: string, root: RegExpExecArray): Generator<string> {
  const { prefix = '', attributes = '' } = root.groups!;
  const prefixes = [prefix, ...[...attributes.matchAll(NAMESPACE)].map(([, bound = '']) => bound)];
  const named = (...names: string[]) =>
    new Set(prefixes.flatMap((prefix) => names.map((name) => (prefix === '' ? name : `${prefix}:${name}`))));
  const [locations, parents] = [named('loc'), named('url', 'sitemap', 'urlset', 'sitemapindex')];
  /** Names of the last elements that are open. */
  const open: string[] = [];
  for (const { 0: tag, 1: slash, 2: name = '', index } of text.matchAll(TAG)) {
    if (slash === '/') {
      // What was not ended ends with what it stands in.
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
    } else if (!tag.endsWith('/>')) {
      CONTENT.lastIndex = index + tag.length;
      const inner =
        locations.has(name) && parents.has(open.at(-1) ?? '') ? CONTENT.exec(text)?.[1] : undefined;
      if (inner !== undefined) yield inner;
      if (open.length === MAX_OPEN) open.shift();
      open.push(name);
    }
  }
}

function withoutComments(text: string): string {
  let kept = '';
  let at = 0;
  for (let open = text.indexOf('<!--'); open >= 0; open = text.indexOf('<!--', at)) {
    kept += text.slice(at, open);
    const end = text.indexOf('-->', open + 4);
    if (end < 0) return kept;
    at = end + 3;
  }
  return kept + text.slice(at);
}

/** A text with a URL a line; a line that is none costs itself, and where half of them are none the text is no sitemap. */
function linesOf(text: string): Sitemap | null {
  const all = text.split(/\r\n?|\n/, MAX_URLS + 1);
  const lines = all.slice(0, MAX_URLS).filter((line) => line.trim() !== '');
  const urls = lines.map((line) => line.trim()).filter((line) => /^https?:\/\/\S+$/i.test(line));
  if (urls.length <= lines.length / 2) return null;
  return { isIndex: false, urls, isCut: all.slice(MAX_URLS).some((line) => line !== '') };
}

/** A `.xml.gz` is compressed by itself, whatever its headers say. */
function unzipped(exchange: Content): Content {
  const { body } = exchange;
  const isDeclared = exchange.headers.some(([name]) => name.toLowerCase() === 'content-encoding');
  if (isDeclared || body[0] !== 0x1f || body[1] !== 0x8b) return exchange;
  try {
    return { ...exchange, body: gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES }) };
  } catch {
    return exchange;
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (found, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES.get(name as string) ?? found;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hexadecimal as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });
}
