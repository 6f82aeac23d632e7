/** A list of related pages, each with its similarity as a bar and the words that it shares. */
import { COPY } from '../../relations/copy.ts';
import type { RelatedPageAnswer, SharedTermAnswer } from '../../service/schemas/list-answers.ts';
import type { Context } from '../context.ts';
import { type Html, html } from '../html.ts';
import { bar, chip, count, percent } from './figures.ts';
import { hostAndPort, pageLink, shownUrl } from './page-link.ts';

const CHIPS = 5;

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
  const why = page.why ?? {};
  const { terms = [], citation_count: citations } = why;
  return html`<li>
${bar(similarity, figure, { root: containment === undefined })}
<div class="item">
<p class="title">${pageLink(context, page)}</p>
<p class="where"><span title="${shownUrl(url)}"><bdi>${hostAndPort(url)}</bdi></span>${page.same_site && html` <span class="same">this site</span>`}${
    from !== null &&
    html` <a class="quiet" href="${context.href('/explore/compare', { a: from, b: url })}" rel="nofollow">compare<span class="hidden"> the two texts</span></a>`
  }</p>
${containment !== undefined && html`<p class="why">It has ${percent(containment.asked_in_result)} of this text; ${percent(containment.result_in_asked)} of its own is here</p>`}
${why.terms === undefined && citations !== undefined && html`<p class="why">${count(citations, 'citation')}</p>`}
${terms.length > 0 && html`<p class="why"><span class="hidden">Both say:</span> ${termChips(terms)}${why.terms !== undefined && citations! > 0 && html` <span class="quiet">${count(citations!, 'link')} in common</span>`}</p>`}
</div>
</li>
`;
}

export function termChips(terms: readonly Pick<SharedTermAnswer, 'term' | 'share'>[], limit = CHIPS): Html {
  const shown = new Map<string, number>();
  for (const { term, share } of terms) shown.set(term, (shown.get(term) ?? 0) + share);
  const listed = [...shown].sort((one, other) => other[1] - one[1]).slice(0, limit);
  const greatest = listed[0]?.[1] ?? 1;
  return html`${listed.map(([term, share]) => html`${chip(term, share, greatest)} `)}`;
}

/** What a relation is called in a heading. */
export function relationTitle(by: string): string {
  return by === COPY.name ? 'Copies' : 'Related pages';
}
