/** Groups of copies, the largest first. */
import { COPY } from '../../../relations/copy.ts';
import { type Html, html } from '../../../service/http/markup.ts';
import type { ClusterSummaryAnswer } from '../../../service/schemas/answers/cluster-answers.ts';
import type { Context } from '../../context.ts';
import { frame } from '../../frame.ts';
import { choiceLinks } from '../../parts/choice.ts';
import { bar, count } from '../../parts/figures.ts';
import { pageLink, placeOf } from '../../parts/page-link.ts';
import type { Asked, Made } from '../../reply.ts';

const LIST_LENGTH = 20;
/** Copies shown of each group, beside the page in its middle. */
const EXAMPLES = 3;

export async function copiesPage(context: Context, asked: Asked): Promise<Made> {
  const { ask, href, dataOf } = context;
  const { relations } = await ask.answer('index');
  const ofCopies = relations.find(({ by }) => by === COPY.name);
  if (ofCopies === undefined) return withoutCopies(context);
  const names = ofCopies.clusterings?.map(({ name }) => name) ?? [];
  const clustering = names.find((name) => name === asked.text('clustering')) ?? names[0]!;
  const query = {
    ...{ by: COPY.name, clustering, limit: LIST_LENGTH, examples: EXAMPLES },
    cursor: asked.text('cursor'),
  };
  const list = await ask.answer('clusters', query);
  // Largest first: behind the first page that stands alone, all do.
  const groups = list.clusters.filter(({ size }) => size > 1);
  const greatest = Math.max(...groups.map(({ size }) => size), 1);
  const self = (more: object) => href('/explore/copies', { clustering, ...more });
  const isLast = groups.length < list.clusters.length;
  return frame(context, {
    title: 'Copies',
    at: '/explore/copies',
    ...dataOf('clusters', query),
    body: html`<h1>Copies</h1>
<p class="facts">Pages that share most of their text, in groups.</p>
${
  names.length > 1 &&
  choiceLinks(
    'How alike',
    names,
    clustering,
    (name) => `at ${name}`,
    (name) => self({ clustering: name }),
  )
}
${
  groups.length === 0
    ? html`<div class="empty"><p>No two pages of this index have the same text.</p></div>`
    : html`<ol class="topics">${groups.map((group) => groupItem(context, group, greatest))}</ol>`
}
${list.next !== null && !isLast && html`<p class="more"><a href="${self({ cursor: list.next })}" rel="next">More groups</a></p>`}`,
  });
}

function groupItem(context: Context, group: ClusterSummaryAnswer, greatest: number): Html {
  const { center, size, examples = [] } = group;
  const more = size - 1 - examples.length;
  const address = context.href(`/explore/topics/${encodeURIComponent(group.id)}`);
  return html`<li>${bar(size / greatest, count(size, 'page'))}
<div class="item"><p class="title">${pageLink(context, center)} <small>${count(size)}</small></p>
<p class="where">${placeOf(center.url, null)}</p>
<ul class="same">${examples.map((page) => html`<li><a href="${context.href('/explore/compare', { a: center.url, b: page.url })}">${placeOf(page.url, center.url)}</a></li>\n`)}${more > 0 && html`<li><a href="${address}">${count(more)} more</a></li>`}</ul></div></li>
`;
}

function withoutCopies(context: Context): Html {
  return frame(context, {
    title: 'Copies',
    at: '/explore/copies',
    body: html`<h1>Copies</h1><p class="note">This index was built without copies.</p>`,
  });
}
