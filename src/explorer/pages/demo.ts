/** A search page as a site of one's own has it, with the components in it or, by a switch, without. */

import { type Content, type Html, html } from '../../service/http/markup.ts';
import { embedPath, embedScript } from '../../service/routes/embed.ts';
import type { SearchAnswer, SearchResultAnswer } from '../../service/schemas/answers/search-answers.ts';
import { Refusal } from '../ask.ts';
import type { Context } from '../context.ts';
import { count } from '../parts/figures.ts';
import { marked } from '../parts/marked.ts';
import { cut, shownUrl, titleOf } from '../parts/page-link.ts';
import type { Asked } from '../reply.ts';

const LIST_LENGTH = 10;
const SUGGESTIONS = 8;
const WORDS_EACH = 2;
/** A longer one is mostly a name out of a program. */
const WORD_CHARS = 12;
/** Refusals that are the answer to a search, and stay so. */
const NO_RESULTS = ['search-not-in-index', 'invalid-parameters'];

export async function demoPage(context: Context, asked: Asked): Promise<Html> {
  const akin = asked.choice('akin', ['on', 'off']);
  const given = asked.text('q');
  const words = given === '' ? await suggestedWords(context) : [];
  const query = { q: given || (words[0] ?? ''), cursor: asked.text('cursor') };
  return document(context, query.q, akin, [
    modeSwitch(context, query, akin),
    given === '' && introduction(context, words, akin),
    query.q !== '' && (await results(context, query, akin)),
  ]);
}

/** The whole page: its look is its own, as that of a site is. */
function document({ href, assets }: Context, words: string, akin: string, body: Content): Html {
  const title = words === '' ? 'A search page of your own' : `${cut(words, 60)} - search`;
  const form = html`<form role="search" action="${href('/demo')}">
<label for="q">Search</label>
<input id="q" name="q" type="search" value="${words}" dir="auto" required maxlength="500" autocomplete="off">
${akin === 'off' && html`<input type="hidden" name="akin" value="off">`}
<button>Search</button>
</form>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="A search result page that embeds akin: copies folded, related pages beside each hit.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${href(assets['demo.css'])}">
${akin === 'on' && html`${script(href, 'embed')}\n${script(href, 'akin-search')}\n`}</head>
<body>
<header>
${akin === 'on' ? html`<akin-search floating limit="6">${form}</akin-search>` : form}
</header>
<main>
${body}
</main>
<footer><a href="${href('/')}">The explorer of this index</a> <a href="${href('/docs')}">HTTP API</a></footer>
</body>
</html>
`;
}

function script(href: Context['href'], name: 'embed' | 'akin-search'): Html {
  return html`<script type="module" src="${href(embedPath(name))}" integrity="${embedScript(name).integrity}" crossorigin></script>`;
}

function modeSwitch({ href }: Context, query: { q: string; cursor: string }, akin: string): Html {
  const choice = (value: string, text: string) =>
    html`<a href="${href('/demo', { ...query, akin: value === 'on' ? '' : value })}"${value === akin && html` aria-current="true"`}>${text}</a>`;
  return html`<nav class="switch" aria-label="This page">${choice('off', 'Without akin')}${choice('on', 'With akin')}</nav>`;
}

/** Words that some topics of the index are about. */
async function suggestedWords({ ask }: Context): Promise<string[]> {
  const { clusters } = await ask.answer('clusters', { limit: 3 * SUGGESTIONS, fetched: 'only' });
  const common = clusters.map(({ label }) => label.split(', ').filter((word) => word.length <= WORD_CHARS));
  const pairs = common.map((words) => words.slice(0, WORDS_EACH).join(' ')).filter((words) => words !== '');
  return [...new Set(pairs)].slice(0, SUGGESTIONS);
}

function introduction({ href }: Context, words: readonly string[], akin: string): Html {
  const off = akin === 'off' ? akin : '';
  return html`<p class="lead">This is a search page as your site may have it, with akin in it: copies are folded under the best hit, and each hit names pages related to it. Switch it off to see what it adds.</p>
<ul class="try" aria-label="Searches to try">${words.map((q) => html`<li><a href="${href('/demo', { q, akin: off })}"><bdi>${q}</bdi></a></li>\n`)}</ul>`;
}

async function results(context: Context, query: { q: string; cursor: string }, akin: string): Promise<Html> {
  const { ask, href } = context;
  let found: SearchAnswer;
  try {
    found = await ask.answer('search', { ...query, limit: LIST_LENGTH, group: 'none' });
  } catch (error) {
    if (!(error instanceof Refusal) || !NO_RESULTS.includes(error.problem.code)) throw error;
    return html`<h1>No results</h1>\n<p>${error.problem.detail}</p>`;
  }
  const heading = html`<h1>Results for <bdi>${cut(query.q, 200)}</bdi></h1>`;
  if (found.results.length === 0) {
    return html`${heading}\n<p>No page has these words. Try fewer, or <a href="${href('/demo')}">one of these</a>.</p>`;
  }
  const list = html`<ol>\n${found.results.map(hit)}</ol>`;
  const off = akin === 'off' ? akin : '';
  const more =
    found.next !== null &&
    html`<p><a class="more" rel="next" href="${href('/demo', { q: query.q, cursor: found.next, akin: off })}">More results</a></p>`;
  return html`${heading}
<p class="count">${count(found.total, 'page')}</p>
${akin === 'off' ? list : html`<akin-results hold>\n${list}\n</akin-results>`}
${more}
${akin === 'on' && html`<akin-related url="${found.results[0]!.url}" heading="More like the first result" limit="4"></akin-related>\n${lines(context)}`}`;
}

/** To be opened in place where its URL is one that a browser may be sent to. */
function hit({ url, title, snippet }: SearchResultAnswer): Html {
  const name = titleOf({ url, title });
  return html`<li>
<h2>${/^https?:/.test(url) ? html`<a href="${url}" rel="noopener noreferrer nofollow">${name}</a>` : name}</h2>
<p class="where"><bdi>${shownUrl(url)}</bdi></p>
<p class="snippet" dir="auto">${marked(snippet.text, snippet.marks)}</p>
</li>\n`;
}

/** What the page has of akin, to be copied. */
function lines({ origin, href }: Context): Html {
  const tag = (name: 'embed' | 'akin-search') =>
    `<script type="module" src="${origin}${href(embedPath(name))}"\n  integrity="${embedScript(name).integrity}" crossorigin></script>`;
  const code = [
    tag('embed'),
    tag('akin-search'),
    '<akin-search floating> <form action="/search"> ... </form> </akin-search>',
    '<akin-results> <ol> ... </ol> </akin-results>',
    '<akin-related></akin-related>',
  ].join('\n');
  return html`<section class="code"><h2>The lines that do this</h2><pre tabindex="0"><code>${code}</code></pre></section>`;
}
