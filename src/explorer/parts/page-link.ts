/** How a page of the index is named and linked. Titles and URLs come from strangers: short, isolated, escaped. */

import { cutText } from '../../lib/cut-text.ts';
import { type Content, type Html, html } from '../../service/http/markup.ts';
import { shownHost } from '../../url/shown-host.ts';
import type { Context } from '../context.ts';

const LIST_TITLE_CHARS = 140;
const LIST_URL_CHARS = 160;
const ABOUT_CHARS = 200;

/** At most `limit` UTF-16 units, no pair cut in two; what was cut ends in an ellipsis. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${cutText(text, limit - 1)}…`;
}

/** The title, or what there is in its place. */
export function titleOf({ url, title }: { url: string; title: string }, limit = LIST_TITLE_CHARS): Html {
  const named = title.trim();
  if (named !== '') return html`<bdi>${cut(named.replaceAll(/\s+/g, ' '), limit)}</bdi>`;
  return html`<bdi class="untitled">${shownUrl(url)}</bdi>`;
}

/** Without its scheme, its host and percent-encoding in letters where that is readable. */
export function shownUrl(url: string, limit = LIST_URL_CHARS): string {
  const bare = url.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return cut(readable(bare.replace(/^[^/?#]+/, shownHost)), limit);
}

/** Percent-encoded letters as letters; signs that could pass for a part of the URL stay encoded. */
function readable(url: string): string {
  return url.replaceAll(/(?:%[89A-F][0-9A-F])+/gi, (encoded) => {
    try {
      const text = decodeURIComponent(encoded);
      return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : encoded;
    } catch {
      return encoded;
    }
  });
}

/** Where a page is: its path alone where it is on the host of the page that a list is about. */
export function placeOf(url: string, from: string | null): Html {
  const host = shownHost(hostAndPort(url));
  const path = shownUrl(url).slice(host.length) || '/';
  const isHere = from !== null && hostAndPort(from) === hostAndPort(url);
  return html`<bdi title="${shownUrl(url)}">${isHere ? path : html`<span class="host">${host}</span>${path}`}</bdi>`;
}

/** What a page says of itself, in one line; nothing where it says nothing. */
export function aboutLine({
  description,
  passage,
}: {
  description?: string;
  passage?: string;
}): Html | false {
  const text = description ?? passage;
  return text !== undefined && html`<p class="about"><bdi>${cut(text, ABOUT_CHARS)}</bdi></p>`;
}

export function hostAndPort(url: string): string {
  return URL.parse(url)?.host ?? '';
}

/** To what the explorer shows of a page. */
export function pageLink({ href }: Context, page: { url: string; title: string }, more: Content = ''): Html {
  return html`<a href="${href('/explore/page', { url: page.url })}"${more}>${titleOf(page)}</a>`;
}

/** To the page itself, where its URL is one that a browser may be sent to. */
export function outsideLink(url: string, limit?: number): Html {
  const text = html`<bdi>${shownUrl(url, limit)}</bdi>`;
  if (!/^https?:\/\//.test(url)) return text;
  return html`<a class="outside" href="${url}" rel="noopener noreferrer nofollow">${text}</a>`;
}
