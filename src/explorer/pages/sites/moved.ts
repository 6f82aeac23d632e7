/** Where the text of a page that is gone, or changed, is now. */
import { type Html, html } from '../../../service/http/markup.ts';
import type {
  LostAnswer,
  MovedAnswer,
  MovedCandidateAnswer,
} from '../../../service/schemas/answers/time-answers.ts';
import type { Context } from '../../context.ts';
import { frame } from '../../frame.ts';
import { count, percent, seenText } from '../../parts/figures.ts';
import { movedPlace } from '../../parts/moved-place.ts';
import { cut, outsideLink, shownUrl, titleOf } from '../../parts/page-link.ts';
import type { Asked, Made } from '../../reply.ts';

const STATE_TEXTS: Readonly<Record<MovedAnswer['state'], string>> = {
  current: 'As far as the sweeps know there is a page at this address.',
  not_seen_since: 'A later sweep has all of its site or host and did not meet this page.',
  never_read: 'This page was never read; the index knows it by links alone.',
  gone: 'This address is gone, or leads elsewhere.',
  not_indexed: 'The index does not know this address.',
};
/** Of resemblance the share is shown. */
const EVIDENCE_TEXTS: Readonly<Partial<Record<MovedCandidateAnswer['evidence'][number], string>>> = {
  redirect: 'the address leads there',
  canonical: 'named as the proper address',
  same_text: 'it had the same text',
  title: 'the same title',
};
const LIST_LENGTH = 20;

const HEADINGS: Readonly<Record<MovedCandidateAnswer['strength'], string>> = {
  now_at: 'Now at',
  parts_in: 'Parts of it are in',
  perhaps: 'Perhaps',
  gone: 'Others that had it, and are gone too',
};

/** Without a URL all lost pages. */
export async function movedPage(context: Context, asked: Asked): Promise<Made> {
  if (asked.text('url') === '') return lostPage(context, asked);
  const { ask, href, json, dataOf } = context;
  const query = { url: asked.text('url'), limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const moved = await ask.answer('moved', query);
  const { url, last_seen, candidates, complete, next } = moved;
  const more = next === null ? null : href('/explore/moved', { url, cursor: next });
  const groups = Map.groupBy(candidates, ({ strength }) => strength);
  return frame(context, {
    title: `Where it went: ${cut(moved.title.trim() || url, 60)}`,
    asked: url,
    ...dataOf('moved', query),
    body: html`<h1>Where it went: ${titleOf(moved, 200)}</h1>
<p class="facts">${outsideLink(url)}</p>
<p class="note">${STATE_TEXTS[moved.state]} ${last_seen !== null && html`Last seen ${seenText(last_seen)}.`}</p>
<p class="actions"><a href="${href('/explore/page', { url })}">its page here</a> <a href="${href('/explore/moved')}">all lost pages</a> <a href="${json('moved', query)}">as JSON</a></p>
${Array.from(
  groups,
  ([
    strength,
    some,
  ]) => html`<section aria-labelledby="${strength}"><h2 id="${strength}">${headingOf(strength, moved)}</h2>
<ol class="found">${some.map((one) => candidate(context, one, url))}</ol>
</section>`,
)}
${candidates.length === 0 && nowhere(context, moved)}
${more !== null && html`<p class="more"><a href="${more}" rel="next">More places</a></p>`}
${!complete && html`<p class="note">Some pages were not looked at.</p>`}`,
  });
}

/** A text that is still there has not moved. */
function headingOf(strength: MovedCandidateAnswer['strength'], { state }: MovedAnswer): string {
  return strength === 'now_at' && state === 'current' ? 'Also at' : HEADINGS[strength];
}

function candidate(context: Context, one: MovedCandidateAnswer, url: string): Html {
  const { containment } = one;
  const share =
    containment !== null &&
    html`${percent(containment.asked_in_result)} of the text ${one.holds_now ? 'is' : 'was'} there`;
  return html`<li>
${movedPlace(context, one, html`<a class="quiet" href="${context.href('/explore/compare', { a: url, b: one.url })}" rel="nofollow">compare</a>`)}
<p class="why">${share} <span>${evidenceText(one)}</span></p>
</li>\n`;
}

function evidenceText({ evidence }: MovedCandidateAnswer): string {
  return evidence.flatMap((kind) => EVIDENCE_TEXTS[kind] ?? []).join(', ');
}

function nowhere({ href }: Context, { state, url }: MovedAnswer): Html {
  return html`<div class="empty"><p>${state === 'current' ? 'No other page has its text: it has not moved.' : 'No page of this index has its text.'}</p>
<p><a href="${href('/explore/page', { url })}">Pages related to it</a></p></div>`;
}

const STRENGTH_TEXTS: Readonly<Record<MovedCandidateAnswer['strength'], string>> = {
  now_at: 'now at',
  parts_in: 'parts of it are in',
  perhaps: 'perhaps',
  gone: 'another that is gone too',
};

/** All lost pages, each with the likeliest place of its text. */
async function lostPage(context: Context, asked: Asked): Promise<Html> {
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
  { url, title, state, last_seen: seen, candidate, complete }: LostAnswer['pages'][number],
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
${!complete && html`<p class="why">Some pages were not looked at.</p>`}
</li>\n`;
}
