import { type Content, type Html, html } from '../../service/http/markup.ts';
import type { MovedCandidateAnswer } from '../../service/schemas/answers/time-answers.ts';
import type { Context } from '../context.ts';
import { seenText } from './figures.ts';
import { pageLink, shownUrl } from './page-link.ts';

/** A place that a lost text may be at: title, path, when it was seen or lost, and a passage of the text. */
export function movedPlace(context: Context, place: MovedCandidateAnswer, more: Content = ''): Html {
  const { url, last_seen: seen, gone_since: gone, now_at: nowAt, passage, state } = place;
  const when =
    gone !== null
      ? html`gone since ${seenText(gone)}`
      : seen !== null && html`${state === 'not_seen_since' ? 'last seen' : 'seen'} ${seenText(seen)}`;
  return html`<p class="title">${pageLink(context, place)}</p>
<p class="where"><bdi>${shownUrl(url)}</bdi> <span>${when}</span> ${more}</p>
${nowAt !== null && html`<p class="where">its text is now at ${pageLink(context, nowAt)} <bdi>${shownUrl(nowAt.url)}</bdi></p>\n`}${passage !== null && html`<p class="passage"><q><bdi>${passage}</bdi></q></p>`}`;
}
