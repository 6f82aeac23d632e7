/** What is shown where there is nothing to show: what was asked, why there is nothing, and what to try next. */

import { type Html, html } from '../../service/http/markup.ts';
import type { ProblemAnswer } from '../../service/schemas/answers/problem-answers.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { shownHost } from '../../url/shown-host.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { cut, hostAndPort, outsideLink, shownUrl } from '../parts/page-link.ts';
import type { Asked, ErrorPage, Made } from '../reply.ts';

export function problemPage(context: Context, asked: Asked, problem: ProblemAnswer): ErrorPage {
  return { status: problem.status, html: problemHtml(context, asked, problem) };
}

export function problemHtml(context: Context, asked: Asked, problem: ProblemAnswer): Html {
  const url = asked.text('url');
  const isUnknownPage = problem.code === 'page-not-indexed';
  // Of two pages it is the one that the problem names.
  const ofTwo = problem.errors?.[0]?.parameter === 'b.url' ? asked.text('b') : '';
  return frame(context, {
    title: problem.title,
    asked: url || asked.text('q'),
    body: isUnknownPage
      ? unknownPage(context, url || ofTwo || asked.text('a'), problem)
      : otherProblem(context, problem),
  });
}

function unknownPage(
  context: Context,
  given: string,
  { detail, errors: [fault] = [], nearest = [] }: ProblemAnswer,
): Html {
  const url = canonicalUrl(given) ?? given;
  const { href } = context;
  const host = hostAndPort(url);
  return html`<h1>Not in this index</h1>
<p class="facts">${url === '' ? detail : outsideLink(url)}</p>
${
  nearest.length > 0
    ? html`<section aria-labelledby="nearest"><h2 id="nearest">The nearest addresses that it has</h2>
<ul class="plain">${nearest.map((one) => html`<li><a href="${href('/explore/page', { url: one })}"><bdi>${shownUrl(one)}</bdi></a></li>`)}</ul></section>`
    : html`<div class="empty"><p><bdi>${cut(fault?.detail ?? detail, 600)}</bdi>.</p></div>`
}
<section aria-labelledby="next"><h2 id="next">What else to try</h2>
<ul class="plain">
${host !== '' && html`<li><a href="${href('/explore/search', { q: wordsOf(url) || host })}">Search for “<bdi>${cut(wordsOf(url) || shownHost(host), 60)}</bdi>”</a></li>`}
<li><a href="${href('/explore/text')}">Paste the text of the page</a>, to see what is near to it</li>
<li><a href="${href('/explore/topics')}">Look through the topics</a></li>
</ul></section>`;
}

/** The words of a path, as a search would have them. */
function wordsOf(url: string): string {
  const words = shownUrl(url)
    .split('/')
    .slice(1)
    .join(' ')
    .replace(/\.\w{2,5}$/, '')
    .match(/\p{L}{3,}/gu);
  return (words ?? []).slice(-4).join(' ');
}

function otherProblem({ href }: Context, { title, code, detail, errors = [] }: ProblemAnswer): Html {
  return html`<h1>${title}</h1>
<p class="note"><bdi>${cut(detail, 600)}</bdi></p>
${errors.length > 1 && html`<ul>${errors.map((fault) => html`<li><b>${fault.parameter}</b> ${cut(fault.detail, 300)}</li>`)}</ul>`}
<p class="more"><a href="${href('/')}">Start again</a>${code === 'route-not-found' && html` · <a href="${href('/docs')}">All paths of the HTTP API</a>`}</p>`;
}

/** For addresses below /explore/ that are none. */
export function pathPage(context: Context, asked: Asked): Made {
  return problemPage(context, asked, {
    type: '/problems/route-not-found',
    title: 'There is no such page',
    status: 404,
    detail: 'The explorer has no page at this address.',
    instance: '',
    code: 'route-not-found',
  });
}
