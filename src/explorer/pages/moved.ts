/** Where the text of a page that is gone, or changed, is now. */
import type { MovedAnswer, MovedCandidateAnswer } from '../../service/schemas/time-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { day, percent } from '../parts/figures.ts';
import { hostAndPort, outsideLink, pageLink, titleOf } from '../parts/page-link.ts';
import type { Asked, Made } from '../reply.ts';

const STATE_TEXTS: Readonly<Record<MovedAnswer['state'], string>> = {
  current: 'The latest sweep still has a page at this address.',
  not_seen_since: 'The latest sweep did not come by this address.',
  never_read: 'This page was never read; the index knows it by links alone.',
  gone: 'This address is gone, or leads elsewhere.',
  not_indexed: 'The index does not know this address.',
};
const EVIDENCE_TEXTS: Readonly<Record<MovedCandidateAnswer['evidence'][number], string>> = {
  redirect: 'the address leads there',
  canonical: 'named as the proper address',
  same_text: 'the same text',
  resemblance: 'much of the same text',
  title: 'the same title',
};

export async function movedPage(context: Context, asked: Asked): Promise<Made> {
  const { ask, href, json } = context;
  const query = { url: asked.text('url'), limit: 20 };
  const moved = await ask.answer('moved', query);
  const { url, last_seen, candidates } = moved;
  return frame(context, {
    title: `Where it went: ${moved.title.slice(0, 60)}`,
    asked: url,
    json: json('moved', query),
    body: html`<h1>Where it went: ${titleOf(moved, 200)}</h1>
<p class="facts">${outsideLink(url)}</p>
<p class="note">${STATE_TEXTS[moved.state]} ${last_seen !== null && html`Last seen ${day(last_seen.fetched_at)} in the sweep <bdi>${last_seen.sweep}</bdi>.`}</p>
<p class="actions"><a href="${href('/explore/page', { url })}">its page here</a> <a href="${json('moved', query)}">as JSON</a></p>
<section aria-labelledby="candidates"><h2 id="candidates">${moved.state === 'current' ? 'Its text is also at' : 'Its text is now at'}</h2>
${candidates.length > 0 ? html`<ol class="found">${candidates.map((one) => candidate(context, one, url))}</ol>` : nowhere(context, moved)}
</section>`,
  });
}

function candidate(context: Context, one: MovedCandidateAnswer, url: string): Html {
  return html`<li>
<p class="title">${pageLink(context, one)}</p>
<p class="where"><bdi>${hostAndPort(one.url)}</bdi> <span>${evidenceText(one)}</span>
<a class="quiet" href="${context.href('/explore/compare', { a: url, b: one.url })}" rel="nofollow">compare</a></p>
${one.containment !== null && html`<p class="why">${percent(one.containment.asked_in_result)} of the lost text is there</p>`}
</li>\n`;
}

function evidenceText({ evidence }: MovedCandidateAnswer): string {
  const shown = evidence.includes('same_text') ? evidence.filter((kind) => kind !== 'resemblance') : evidence;
  return shown.map((kind) => EVIDENCE_TEXTS[kind]).join(', ');
}

function nowhere({ href }: Context, { state, url }: MovedAnswer): Html {
  return html`<div class="empty"><p>${state === 'current' ? 'No other page has its text: it has not moved.' : 'No page of this index has its text.'}</p>
<p><a href="${href('/explore/page', { url })}">Pages related to it</a></p></div>`;
}
