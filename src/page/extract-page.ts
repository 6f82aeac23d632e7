import { extractHtml, type HtmlReading } from './extract-html.ts';
import { extractText } from './extract-text.ts';
import type { ExtractedPage } from './extracted-page.ts';
import type { JsonPage } from './html/html-kernel.ts';

const SNIFFED_LENGTH = 2048;

/** A tag that plain text has no reason to hold, or a tag or comment right at the start. */
const STRUCTURE =
  /<(?:!doctype\s+html|html|head|body|title|meta|link|div|table|p|h[1-6]|ul|ol|br|a\s+href)\b/i;
const MARKUP_FIRST = /^\s*<(?:!--|\/?[a-z][a-z\d-]*[\s/>])/i;

/**
 * Reads a decoded page by its media type; where the source does not know it, by the look of its start.
 *
 * @param mediaType lower case, without parameters, or null.
 * @param url absolute http(s) URL of the page.
 * @param reading as of `extractHtml`.
 */
export function extractPage(
  body: string | JsonPage,
  mediaType: string | null,
  url: string,
  reading: HtmlReading = {},
): ExtractedPage {
  const type = readAs(body, mediaType);
  if (type === 'text/plain') return extractText(String(body));
  return extractHtml(body, url, type === 'application/xhtml+xml', reading);
}

/** The media type that a decoded page is read by. */
export function readAs(
  body: string | JsonPage,
  mediaType: string | null,
): 'text/plain' | 'text/html' | 'application/xhtml+xml' {
  switch (mediaType) {
    case 'text/plain':
    case 'text/html':
    case 'application/xhtml+xml':
      return mediaType;
    default:
      return looksLikeHtml(String(body)) ? 'text/html' : 'text/plain';
  }
}

function looksLikeHtml(body: string): boolean {
  const start = body.slice(0, SNIFFED_LENGTH);
  return MARKUP_FIRST.test(start) || STRUCTURE.test(start);
}
