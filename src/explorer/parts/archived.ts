import { type Html, html } from '../../service/http/markup.ts';

/** A link to the archived capture; nothing where the service knows no archive, or not the time. */
export function archived({ replay_url: link }: { readonly replay_url?: string | null }): Html {
  if (link === undefined || link === null) return html``;
  return html` <a class="outside" href="${link}" rel="noopener noreferrer nofollow">archived</a>`;
}
