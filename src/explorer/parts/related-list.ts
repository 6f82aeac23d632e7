/** A list of related pages: what each is about, why it is there, and where it is. */

import { isGroup } from '../../features/parts.ts';
import { COPY } from '../../relations/copy.ts';
import { type Html, html } from '../../service/http/markup.ts';
import type { NearByVectorsAnswer, RelatedPageAnswer } from '../../service/schemas/answers/list-answers.ts';
import type { LentTermAnswer } from '../../service/schemas/answers/term-answers.ts';
import type { Context } from '../context.ts';
import { bar, chip, count, percent } from './figures.ts';
import { greatestTerms, type Term } from './greatest-terms.ts';
import { aboutLine, pageLink, placeOf, shownUrl } from './page-link.ts';

const CHIPS = 5;
const SHOWN_LENDERS = 3;
const LENDER_CHARS = 60;

/** `from` is the URL that the list is about, for the links that compare; null for a text. */
export function relatedList(
  context: Context,
  related: readonly RelatedPageAnswer[],
  from: string | null,
): Html {
  return html`<ol class="related">${related.map((page) => relatedItem(context, page, from))}</ol>`;
}

function relatedItem(context: Context, page: RelatedPageAnswer, from: string | null): Html {
  const { url, similarity, containment, measure } = page;
  const kind = measure === 'score' ? 'score' : 'similarity';
  const figure = `${kind} ${similarity.toFixed(2)}${measure === 'estimate' ? ', estimated' : ''}`;
  return html`<li>
${bar(similarity, figure, { root: containment === undefined })}
<div class="item">
<p class="title">${pageLink(context, page)}</p>
${aboutLine(page)}
${whyLine(context, page)}
<p class="where">${placeOf(url, from)}${
    from !== null &&
    html` <a class="quiet" href="${context.href('/explore/compare', { a: from, b: url })}" rel="nofollow">compare<span class="hidden"> the two texts</span></a>`
  }</p>
</div>
</li>
`;
}

/** One sentence. */
function whyLine(context: Context, { containment, why = {} }: RelatedPageAnswer): Html | false {
  const { terms = [], citation_count: citations = 0, meaning, through = [] } = why;
  const links = citations > 0 && count(citations, 'link');
  if (containment !== undefined)
    return html`<p class="why">It has ${percent(containment.asked_in_result)} of this text; ${percent(containment.result_in_asked)} of its own is here</p>`;
  if (terms.length > 0)
    return html`<p class="why">Both ${terms.every(({ part }) => isGroup(part)) ? 'have' : 'speak of'} ${termSentence(terms)}${links !== false && html` <span class="quiet">and have ${links} in common</span>`}${meaning !== undefined && html`<span class="quiet">; ${meaningText(meaning)}</span>`}</p>`;
  if (through.length > 0) return throughLine(context, through);
  if (meaning !== undefined) return html`<p class="why">Near ${meaningText(meaning)}</p>`;
  return links !== false && html`<p class="why">They have ${links} in common</p>`;
}

/** `Near by way of P and Q, which speak of a, b` */
function throughLine({ href }: Context, through: readonly LentTermAnswer[]): Html {
  const urls = [...new Set(through.flatMap((term) => term.urls.slice(0, 1)))].slice(0, SHOWN_LENDERS);
  const links = urls.map((url, i) => {
    const link = html`<a href="${href('/explore/page', { url })}"><bdi>${shownUrl(url, LENDER_CHARS)}</bdi></a>`;
    return html`${i === 0 ? '' : i === urls.length - 1 ? ' and ' : ', '}${link}`;
  });
  const words = [...new Set(through.map(({ term }) => term))];
  return html`<p class="why">Near by way of ${links} <span class="quiet">by <bdi>${words.join(', ')}</bdi></span></p>`;
}

/** `by meaning (minilm) 0.62` */
function meaningText({ vectors, similarity }: NearByVectorsAnswer): string {
  return `by meaning (${vectors}) ${similarity.toFixed(2)}`;
}

/** `a, b and c`. */
function termSentence(terms: readonly Term[]): Html[] {
  const listed = greatestTerms(terms, CHIPS);
  const last = listed.length - 1;
  return listed.map(([term, share], i) => {
    const word = chip(term, share, listed[0]![1], i < last - 1 ? ',' : '');
    return html`${i === 0 ? '' : i === last ? ' and ' : ' '}${word}`;
  });
}

export function termChips(terms: readonly Term[], limit: number): Html[] {
  const listed = greatestTerms(terms, limit);
  return listed.map(([term, share]) => chip(term, share, listed[0]![1]));
}

/** What a relation is called in a heading. */
export function relationTitle(by: string): string {
  return by === COPY.name ? 'Copies' : 'Related pages';
}
