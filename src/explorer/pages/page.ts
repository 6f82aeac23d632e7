/** What the index knows of one page: related pages and why, copies, history, topics. */
import { COPY } from '../../relations/copy.ts';
import { DEFAULT_RELATION, findRelation, type RelationName } from '../../relations/relations.ts';
import { type Html, html } from '../../service/http/markup.ts';
import type { Given, Values } from '../../service/routes/request.ts';
import type { EmptyReason } from '../../service/schemas/answers/list-answers.ts';
import type { CaptureAnswer, HistoryAnswer } from '../../service/schemas/answers/time-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { archived } from '../parts/archived.ts';
import { choiceLinks } from '../parts/choice.ts';
import { count, day, languageName, percent } from '../parts/figures.ts';
import { cut, outsideLink, titleOf } from '../parts/page-link.ts';
import { relatedList, relationTitle, termChips } from '../parts/related-list.ts';
import { topicPath } from '../parts/topic-link.ts';
import type { Asked } from '../reply.ts';

const SITES = ['include', 'exclude', 'only'] as const;
const SITE_TEXTS = { include: 'all sites', exclude: 'other sites', only: 'this site' };
const LIST_LENGTH = 10;
/** Copies have a section of their own, and pages that were never read have little to say. */
const NARROWED = {
  subject: { explain: true, fetched: 'only', exclude_copies: true, cards: true },
  wording: {},
};
/** A list of pages: by a relation, and where that goes by vectors, by those of which name. */
function wayOf({ by, profile }: { by: RelationName; profile: string }) {
  return { by, vector: findRelation(by)?.features === 'vectors' ? profile : '' };
}

const COPIES_SHOWN = 5;
const TERMS_SHOWN = 12;

export async function pagePage(context: Context, asked: Asked): Promise<Html> {
  const { ask, href, json, dataOf } = context;
  const page = await ask.answer('page', { url: asked.text('url') });
  const { url } = page;
  const { relations, link_relations: byLinks } = await ask.answer('index');
  const ways = [...relations.map(wayOf), ...byLinks.map((by) => ({ by, vector: '' }))];
  const wanted = ways.filter(({ by }) => by === asked.text('by'));
  const way = wanted.find(({ vector }) => vector === asked.text('vector')) ?? wanted[0] ?? ways[0]!;
  const { by, vector } = way;
  const hasCopies = ways.some((one) => one.by === COPY.name);
  const sites = asked.choice('sites', SITES);
  const query: Given<'related'> = {
    url,
    by,
    ...(vector !== '' && { vector }),
    same_site: sites,
    limit: LIST_LENGTH,
    ...NARROWED[by === COPY.name ? 'wording' : 'subject'],
  };
  const cursor = asked.text('cursor');
  const [related, topics, copies, history] = await Promise.all([
    ask.answer('related', { ...query, cursor }),
    ask.find(['relation-not-in-index'], 'cluster', { url, limit: 1 }),
    by === COPY.name || !hasCopies
      ? null
      : ask.answer('related', { url, by: COPY.name, limit: COPIES_SHOWN }),
    ask.find(['relation-not-in-index'], 'history', { url, limit: 100 }),
  ]);
  const terms = page.bags
    .flatMap((bag) => Object.values(bag.terms).flat())
    .filter(({ url }) => url === undefined)
    .map(({ term, weight }) => ({ term, share: weight }));
  const self = (more: Values) =>
    href('/explore/page', {
      url,
      by: by === DEFAULT_RELATION.name ? '' : by,
      vector,
      sites: sites === 'include' ? '' : sites,
      ...more,
    });
  const title = page.title.trim() === '' ? url : page.title;
  return frame(context, {
    title: cut(title.replaceAll(/\s+/g, ' '), 80),
    description: `Pages related to ${cut(title, 100)}, and why.`,
    asked: url,
    ...dataOf('related', { ...query, cursor }),
    scripts: ['page.js'],
    body: html`${topicPath(context, topics?.levels ?? [])}
<h1>${titleOf(page, 240)}</h1>
<p class="facts">${outsideLink(url)}${page.lang !== null && html` · <span title="language">${languageName(page.lang)}</span>`} · seen ${day(page.sweeps.at(-1)?.fetched_at ?? null)}${archived(page.sweeps.at(-1) ?? {})} · ${count(page.word_count, 'word')}</p>
${fieldsOf(page.fields)}
<p class="actions"><a href="${href('/explore/map', { url })}">map</a> <a href="${json('page', { url })}">as JSON</a> ${history !== null && history.state !== 'current' && html`<a href="${href('/explore/moved', { url })}">where it went</a>`}</p>
${!page.fetched && html`<p class="note">This page was not read: the index knows it by ${count(page.in_link_count, 'link')} to it.</p>`}
${history?.gone === true && html`<p class="note">This page is gone. <a href="${href('/explore/moved', { url })}">Where did its text go?</a></p>`}
<section aria-labelledby="related">
<h2 id="related">${relationTitle(by)}</h2>
${choiceLinks(
  'Which pages',
  SITES,
  sites,
  (one) => SITE_TEXTS[one],
  (one) => self({ sites: one === 'include' ? '' : one }),
)}
${
  ways.length > 1 &&
  choiceLinks(
    'Related how',
    ways,
    way,
    (one) => `by ${findRelation(one.by)?.plainName ?? one.by}${one.vector === '' ? '' : ` (${one.vector})`}`,
    (one) => self({ by: one.by === DEFAULT_RELATION.name ? '' : one.by, vector: one.vector }),
  )
}
${related.related.length > 0 ? relatedList(context, related.related, url) : nothing(context, related.empty_reason, url, sites)}
${related.next !== null && html`<p class="more"><a href="${self({ cursor: related.next })}" rel="next">More</a></p>`}
${cursor !== '' && html`<p class="more"><a href="${self({})}">Back to the nearest</a></p>`}
</section>
${
  copies !== null &&
  copies.related.length > 0 &&
  html`<section aria-labelledby="copies">
<h2 id="copies">Copies</h2>
${relatedList(context, copies.related, url)}
${copies.next !== null && html`<p class="more"><a href="${self({ by: COPY.name, vector: '' })}">All copies</a></p>`}
</section>`
}
${history !== null && historyStrip(context, history)}
${
  terms.length > 0 &&
  html`<section aria-labelledby="about">
<h2 id="about">What it is about</h2>
<p class="terms">${termChips(terms, TERMS_SHOWN)}</p>
<p class="facts">Cited by ${count(page.in_link_count, 'page')}, links to ${count(page.out_link_count, 'page')}${page.aliases.length > 0 && html`, also known by ${count(page.aliases.length, 'address', 'addresses')}`}</p>
</section>`
}
${history?.gone !== true && embedSnippet(context, url)}`,
  });
}

/** What the owner of a page says of it; nothing where that is nothing. */
function fieldsOf(fields: Readonly<Record<string, unknown>>): Html | false {
  const said = Object.entries(fields).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  return said.length > 0 && html`<p class="facts">${cut(said.join(' · '), 1000)}</p>`;
}

const REASONS: Readonly<Record<EmptyReason, string>> = {
  not_indexed: 'This page is not in the index.',
  gone: 'A later sweep found this page gone, so it has no text to compare.',
  too_little_text: 'This page has fewer than three words to compare.',
  no_known_words:
    'Each word of this page is on no other page of this index, or on too many to tell them apart.',
  no_links: 'This page has no links of the kind that this relation goes by.',
  no_features: 'This page has no features of its owner.',
  no_vector: 'This page has no vector of its owner.',
  below_threshold: 'No page of this index is similar enough. Nothing is shown rather than filler.',
  template: 'Pages of this index resemble it by the template of their host, and share little else with it.',
  excluded: 'The pages that are related are left out by the choice above.',
};

function nothing({ href }: Context, reason: EmptyReason | null, url: string, sites: string): Html {
  return html`<div class="empty">
<p>Nothing is related here. ${reason !== null && REASONS[reason]}</p>
<p>${sites !== 'include' && html`<a href="${href('/explore/page', { url })}">Look on all sites</a> · `}<a href="${href('/explore/text')}">Paste a text</a></p>
</div>`;
}

const CHANGE_TEXTS: Readonly<Record<CaptureAnswer['changed'], string>> = {
  first: 'first seen',
  identical: 'the same',
  lexically_equal: 'the same words',
  shingle_equal: 'the same passages',
  minor: 'changed a little',
  major: 'changed',
  rewritten: 'rewritten',
};

/**
 * A page over the sweeps: a column a capture, as high as its text is new. Two captures can be compared.
 *
 * Nothing for a page that was seen once.
 */
function historyStrip({ href, json }: Context, history: HistoryAnswer): Html {
  const { captures, total, url } = history;
  if (total < 2) return html``;
  return html`<section aria-labelledby="history">
<h2 id="history">History</h2>
<form action="${href('/explore/compare')}">
<input type="hidden" name="a" value="${url}">
<ol class="strip">${captures.map(
    (capture) =>
      html`<li><label>${column(capture)}<span><input type="checkbox" name="capture" value="${capture.sweep}"> <bdi>${capture.sweep}</bdi></span>
<small>${capture.fetched_at !== null && html`${day(capture.fetched_at)} `}${CHANGE_TEXTS[capture.changed]}${
        capture.resemblance !== null &&
        capture.resemblance < 1 &&
        html`, ${percent(capture.resemblance)} alike`
      }</small></label>${archived(capture)}</li>\n`,
  )}</ol>
<p class="facts">Seen ${count(total, 'time')}${captures.length < total && html`, the first ${count(captures.length)} here`}. Choose two, and <button class="plain">compare</button> them. <a href="${json('history', { url, limit: 100 })}">As JSON</a></p>
</form>
</section>`;
}

function column({ changed, resemblance }: CaptureAnswer): Html {
  const change = changed === 'first' ? 1 : Math.max(0.04, 1 - (resemblance ?? 1));
  const height = Math.round(32 * change);
  return html`<svg class="${changed === 'first' ? 'begin' : 'change'}" viewBox="0 0 10 32" aria-hidden="true"><rect class="ground" width="10" height="32"/><rect class="fill" y="${32 - height}" width="10" height="${height}"/></svg>`;
}

/** What the owner of a page copies into it to show its related pages. */
function embedSnippet({ origin, href }: Context, url: string): Html {
  const lines = [
    `<script type="module" src="${origin}${href('/embed.js')}"></script>`,
    `<akin-related url="${attribute(url)}" limit="5">`,
    '</akin-related>',
  ];
  return html`<section aria-labelledby="embed">
<h2 id="embed">Show this on your page</h2>
<p class="facts">These three lines list the related pages wherever you put them.</p>
<pre class="snippet" tabindex="0"><code>${lines.join('\n')}</code></pre>
</section>`;
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
