/**
 * Reads sitemaps: lists of pages, or lists of sitemaps (sitemaps.org). Only `<loc>` counts; whatever else stands in
 * the file is passed over, and a broken file gives what stands before the break.
 *
 * A reader of one element needs no XML parser: the protocol allows neither attributes nor children in it.
 */
import { gunzipSync } from 'node:zlib';
import type { Exchange } from '../../net/exchange.ts';
import type { Headers } from '../../sources/http/headers.ts';
import { decodedText } from './read-response.ts';

/** What the protocol allows in one file. */
export const MAX_SITEMAP_BYTES = 50 * 2 ** 20;
const MAX_URLS = 50_000;

interface Sitemap {
  /** Whether its URLs are those of sitemaps. */
  readonly isIndex: boolean;
  /** As given. */
  readonly urls: readonly string[];
}

type Content = Pick<Exchange, 'headers' | 'body'>;

/** Null for what is no sitemap. */
export function readSitemap(exchange: Content, headers: Headers): Sitemap | null {
  const text = decodedText(unzipped(exchange), headers, 'utf-8', MAX_SITEMAP_BYTES);
  if (text === null) return null;
  const root = /<(?:\w+:)?(urlset|sitemapindex)[\s>]/.exec(text.slice(0, 65_536));
  if (root === null) return null;
  const urls: string[] = [];
  const pattern = /<(?:\w+:)?loc>([^<]*|\s*<!\[CDATA\[[^<]*?\]\]>\s*)<\//g;
  for (const [, inner] of text.matchAll(pattern)) {
    const url = inner!.replace(/^\s*<!\[CDATA\[(.*)\]\]>\s*$/s, '$1').trim();
    urls.push(inner!.includes('CDATA') ? url : unescapeXml(url));
    if (urls.length === MAX_URLS) break;
  }
  return { isIndex: root[1] === 'sitemapindex', urls };
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
