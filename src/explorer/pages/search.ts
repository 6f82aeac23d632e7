/** What is found for words. An index without search answers with the pages nearest to them. */

import { type Html, html } from '../../service/http/markup.ts';
import type { FacetAnswer, SearchAnswer } from '../../service/schemas/answers/search-answers.ts';
import { replaceWords } from '../../text/replace-words.ts';
import { shownHost } from '../../url/shown-host.ts';
import { Refusal } from '../ask.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { choiceLinks } from '../parts/choice.ts';
import { count, day, languageName } from '../parts/figures.ts';
import { marked } from '../parts/marked.ts';
import { cut, pageLink, placeOf } from '../parts/page-link.ts';
import { relatedList } from '../parts/related-list.ts';
import type { Asked, Made } from '../reply.ts';
import { nearest } from './text.ts';

const LIST_LENGTH = 10;
const FACETS = ['site', 'lang'] as const;
const FACET_TEXTS = { site: ['Site', 'all sites'], lang: ['Language', 'any language'] } as const;
/** Values of a facet to choose from. */
const CHOICES = 8;

export async function searchPage(context: Context, asked: Asked): Promise<Made> {
  const { ask, href, dataOf } = context;
  const words = asked.text('q');
  if (words === '') return { location: href('/') };
  const kept = { q: words, site: asked.text('site'), lang: asked.text('lang') };
  const query = { ...kept, facets: FACETS, limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const self = (more: object) => href('/explore/search', { ...kept, ...more });
  let found: SearchAnswer;
  try {
    found = await ask.answer('search', query);
  } catch (error) {
    if (error instanceof Refusal && hasNoSearch(error)) return withoutSearch(context, words);
    throw error;
  }
  return frame(context, {
    title: `${cut(words, 60)}: found`,
    asked: words,
    ...dataOf('search', query),
    body: html`<h1>Pages with <bdi>${cut(searchedFor(words, found), 200)}</bdi></h1>
<p class="facts">${count(found.total, 'page')}</p>
${found.corrected.length > 0 && asWritten(context, words, found)}
${found.left_out !== undefined && html`<p class="note">Too many words: <bdi>${cut(found.left_out.join(' '), 200)}</bdi> did not count.</p>`}
${found.facets?.flatMap((facet) => ('counted' in facet ? [] : facetChoice(facet, kept[facet.name], (value) => self({ [facet.name]: value }))))}
${
  found.results.length === 0
    ? noneFound(context, words)
    : html`<ol class="found">${found.results.map(
        (page) => html`<li>
<p class="title">${pageLink(context, page)}</p>
<p class="where">${placeOf(page.url, null)}${page.published_at !== undefined && html` ${day(page.published_at)}`}${page.copies > 0 && html` <a class="quiet" href="${href('/explore/page', { url: page.url })}#copies">${count(page.copies, 'page')} like it</a>`}</p>
${page.snippet.text !== '' && html`<p class="said" dir="auto">${marked(page.snippet.text, page.snippet.marks)}</p>`}
</li>\n`,
      )}</ol>`
}
${found.next !== null && html`<p class="more"><a href="${self({ cursor: found.next })}" rel="next">More</a></p>`}`,
  });
}

/** How to narrow what was found; nothing where it is all of one kind. */
function facetChoice(
  { name, values }: FacetAnswer,
  chosen: string,
  hrefOf: (value: string) => string,
): Html | false {
  if (chosen === '' && values.length < 2) return false;
  const counts = new Map(values.map(({ value, pages }) => [value ?? '', pages]));
  const named = [...counts.keys()].filter((value) => value !== '').slice(0, CHOICES);
  const [label, all] = FACET_TEXTS[name];
  const shown = (value: string) => cut(name === 'site' ? shownHost(value) : languageName(value), 60);
  const textOf = (value: string) => (value === '' ? all : `${shown(value)} (${count(counts.get(value)!)})`);
  return choiceLinks(label, ['', ...named], chosen, textOf, hrefOf);
}

/** The words of the query as they were looked for. */
function searchedFor(words: string, { corrected }: SearchAnswer): string {
  return replaceWords(words, new Map(corrected.map(({ word, instead }) => [word, instead])));
}

/** Where another word was looked for instead: the way to the words as they are. */
function asWritten({ href }: Context, words: string, found: SearchAnswer): Html {
  const q = replaceWords(words, new Map(found.corrected.map(({ word }) => [word, `"${word}"`])));
  return html`<p class="note">Results for <b><bdi>${cut(searchedFor(words, found), 200)}</bdi></b>. Search instead for <a href="${href('/explore/search', { q })}"><bdi>${cut(words, 200)}</bdi></a>.</p>`;
}

/** By its code, or by the path that an older service does not have. */
function hasNoSearch({ problem: { code } }: Refusal): boolean {
  return code === 'search-not-in-index' || code === 'route-not-found';
}

function noneFound({ href }: Context, words: string): Html {
  return html`<div class="empty"><p>No page has these words.</p>
<p>Try fewer words, or <a href="${href('/explore/text', { text: words })}">the pages nearest to them</a>.</p></div>`;
}

async function withoutSearch(context: Context, words: string): Promise<Made> {
  const { related } = await nearest(context, { kind: 'text', content: words });
  return frame(context, {
    title: `Near to ${cut(words, 60)}`,
    asked: words,
    body: html`<h1>Near to <bdi>${cut(words, 200)}</bdi></h1>
<p class="note">This index holds no texts to search in. These pages are the nearest to your words by subject.</p>
<section>${
      related.length > 0
        ? relatedList(context, related, null)
        : html`<div class="empty"><p>No page of this index is about these words. A few more words help.</p>
<p><a href="${context.href('/explore/topics')}">See which topics there are</a></p></div>`
    }</section>`,
  });
}
