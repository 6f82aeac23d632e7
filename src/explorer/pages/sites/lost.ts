/** All lost pages, each with the likeliest place of its text. */

import { type Html, html } from '../../../service/http/markup.ts';
import type { LostAnswer, MovedCandidateAnswer } from '../../../service/schemas/answers/time-answers.ts';
import type { Context } from '../../context.ts';
import { frame } from '../../frame.ts';
import { count, percent, seenText } from '../../parts/figures.ts';
import { movedPlace } from '../../parts/moved-place.ts';
import { shownUrl, titleOf } from '../../parts/page-link.ts';
import type { Asked } from '../../reply.ts';

const LIST_LENGTH = 20;

const STRENGTH_TEXTS: Readonly<Record<MovedCandidateAnswer['strength'], string>> = {
  now_at: 'now at',
  parts_in: 'parts of it are in',
  perhaps: 'perhaps',
  gone: 'another that is gone too',
};

export async function lostPage(context: Context, asked: Asked): Promise<Html> {
  const { ask, href, dataOf } = context;
  const query = { limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const { pages, next, looked_at } = await ask.answer('lost', query);
  const more = next === null ? null : href('/explore/moved', { cursor: next });
  return frame(context, {
    title: 'Lost pages',
    at: '/explore/moved',
    ...dataOf('lost', query),
    body: html`<h1>Lost pages</h1>
<p class="facts">Pages that a sweep found gone, or came by and did not meet, in the order of their URLs; each with where its text is.</p>
${pages.length === 0 && html`<div class="empty"><p>None among ${count(looked_at, 'page')}${more !== null && ' looked at so far'}.</p></div>`}
<ol class="lost">${pages.map((page) => lostItem(context, page))}</ol>
${more !== null && html`<p class="more"><a href="${more}" rel="next">More lost pages</a></p>`}`,
  });
}

function lostItem(
  context: Context,
  { url, title, state, last_seen: seen, candidate }: LostAnswer['pages'][number],
): Html {
  const share = candidate?.containment?.asked_in_result;
  return html`<li>
<p class="title"><a href="${context.href('/explore/moved', { url })}">${titleOf({ url, title })}</a></p>
<p class="where"><bdi>${shownUrl(url)}</bdi> <span>${state === 'gone' ? 'gone' : 'not met any more'}${seen !== null && html`, last seen ${seenText(seen)}`}</span></p>
${
  candidate === null
    ? html`<p class="why">its text is nowhere</p>`
    : html`<div class="place"><p class="why">${STRENGTH_TEXTS[candidate.strength]}${share !== undefined && html` <small>(${percent(share)} of its text)</small>`}</p>
${movedPlace(context, candidate)}</div>`
}
</li>\n`;
}
