/** What a response says to a crawler: where it leads, and what its text is. */
import { listIn } from '../../lib/kept.ts';
import type { Exchange } from '../../net/exchange.ts';
import { decodeBody } from '../../page/decode.ts';
import { extractPage } from '../../page/extract-page.ts';
import { robotsRules } from '../../page/robots-rules.ts';
import {
  canonicalLink,
  decodeHeaderText,
  firstValue,
  type Headers,
  parseContentType,
} from '../../sources/http/headers.ts';
import { PAGE_TYPES, REDIRECTS } from '../../sources/http/http-block.ts';
import { decodeHttpBody } from '../../sources/http/http-body.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';

interface ReadPage {
  /** Canonical, without repeats and without what asks not to be followed. */
  readonly links: readonly string[];
  /** Whether there are links that are not known: the body was cut, or has too many. */
  readonly isCut: boolean;
  readonly text: string;
}

export function headersOf({ headers }: Exchange): Headers {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) listIn(byName, name.toLowerCase()).push(value);
  return byName;
}

/** Where a redirect leads, canonical; null for what is none. */
export function redirectTarget({ status }: Exchange, headers: Headers, url: string): string | null {
  return headerUrl(REDIRECTS.has(status) ? firstValue(headers, 'location') : null, url);
}

/** Some servers write UTF-8 where only ASCII may stand. */
function headerUrl(reference: string | null, base: string): string | null {
  return reference === null ? null : canonicalUrl(decodeHeaderText(Buffer.from(reference, 'latin1')), base);
}

/** What the head of a response says of its content: what it asks of robots, and the canonical URL; '' for nothing. */
export function saidByHead(
  headers: Headers,
  url: string,
  agent: string,
): { robots: string; canonical: string } {
  const { noindex, nofollow } = robotsRules(headers.get('x-robots-tag') ?? [], agent);
  const robots = `${noindex ? 'noindex ' : ''}${nofollow ? 'nofollow ' : ''}`;
  return { robots, canonical: headerUrl(canonicalLink(headers), url) ?? '' };
}

/**
 * Reads a page; null where the content is none, or cannot be decoded.
 *
 * @param agent product token, for rules that speak to one crawler.
 */
export function readPage(
  exchange: Exchange,
  headers: Headers,
  { url, agent, maxBytes }: { url: string; agent: string; maxBytes: number },
): ReadPage | null {
  const { mediaType, charset } = parseContentType(firstValue(headers, 'content-type'));
  if (mediaType !== null && !PAGE_TYPES.has(mediaType)) return null;
  const text = decodedText(exchange, headers, charset, maxBytes);
  if (text === null) return null;
  // Menus lead to pages, whatever of a page counts.
  const page = extractPage(text, mediaType, url, { selectors: null, agent, noscript: true });
  const said = saidByHead(headers, url, agent);
  const isClosed = page.nofollow || said.robots.includes('nofollow');
  const { kept, droppedCount } = isClosed ? { kept: [], droppedCount: 0 } : page.links();
  const targets = kept.filter(({ nofollow }) => !nofollow).map(({ target }) => target);
  if (page.refresh !== undefined && !isClosed) targets.push(page.refresh);
  if (page.canonical !== null) targets.push(page.canonical);
  if (said.canonical !== '') targets.push(said.canonical);
  const isCut = exchange.cut !== null || droppedCount > 0;
  return { links: canonicalUrls(targets), isCut, text: page.text };
}

/** The decoded text of a body; null where it cannot be decoded or is binary. */
export function decodedText(
  exchange: Pick<Exchange, 'body'>,
  headers: Headers,
  charset: string | null,
  maxBytes: number,
): string | null {
  const decoded = decodeHttpBody(exchange.body, headers, maxBytes);
  if (decoded.fault !== null) return null;
  return decodeBody(decoded.body, charset)?.text ?? null;
}

function canonicalUrls(targets: readonly string[]): string[] {
  const urls = new Set<string>();
  for (const target of targets) {
    const url = canonicalUrl(target);
    if (url !== null) urls.add(url);
  }
  return [...urls];
}
