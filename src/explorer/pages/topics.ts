/** All topics of a level, and one topic with what lies above and below it. */

import { cutText } from '../../lib/cut-text.ts';
import { type Html, html } from '../../service/http/markup.ts';
import type { ClusterSummaryAnswer } from '../../service/schemas/answers/cluster-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { choiceLinks, FETCHED, fetchedLinks } from '../parts/choice.ts';
import { bar, count } from '../parts/figures.ts';
import { pageLink, placeOf } from '../parts/page-link.ts';
import { TOPIC_EXAMPLES, topicExamples, topicLink, topicName, topicPath } from '../parts/topic-link.ts';
import type { Asked } from '../reply.ts';

const LIST_LENGTH = 30;
/** Of topics that are shown by default: the first level above the tight groups. */
const DEFAULT_LEVEL = 1;
/** Other topics of the one above. */
const NEIGHBORS_SHOWN = 8;
const SORTS = ['size', 'label'] as const;
const SORT_TEXTS = { size: 'largest first', label: 'A to Z' };

export async function topicsPage(context: Context, asked: Asked): Promise<Html> {
  const { ask, href, dataOf } = context;
  const fetched = asked.choice('fetched', FETCHED);
  const totals = await levelTotals(context, fetched);
  const given = Number(asked.text('level') || Math.min(DEFAULT_LEVEL, totals.length - 1));
  const level = totals[given] === undefined ? 0 : given;
  const sort = asked.choice('sort', SORTS);
  const label = cutText(asked.text('label'), 100);
  const query = {
    ...{ sort, level, fetched, label, limit: LIST_LENGTH, examples: TOPIC_EXAMPLES },
    cursor: asked.text('cursor'),
  };
  const list = await ask.answer('clusters', query);
  const kept = {
    level,
    label,
    sort: sort === 'size' ? '' : sort,
    fetched: fetched === 'only' ? '' : fetched,
  };
  const self = (more: object) => href('/explore/topics', { ...kept, ...more });
  return frame(context, {
    title: 'Topics',
    at: '/explore/topics',
    ...dataOf('clusters', query),
    body: html`<h1>Topics</h1>
<p class="facts">${count(list.total)} at this level${label !== '' && html` with “<bdi>${label}</bdi>”`}, found from the words that pages share.</p>
<form class="narrow" action="${href('/explore/topics')}" role="search" aria-label="Topics">
<input type="hidden" name="level" value="${level}">
<label class="hidden" for="label">Words in the names of topics</label>
<input id="label" name="label" type="text" value="${label}" placeholder="Find a topic" maxlength="100" autocapitalize="none">
<button>Find</button>
</form>
${choiceLinks(
  'Level',
  [...totals.keys()],
  level,
  (one) => `${levelName(one, totals.length)} (${count(totals[one]!)})`,
  (one) => self({ level: one }),
)}
${choiceLinks(
  'Order',
  SORTS,
  sort,
  (one) => SORT_TEXTS[one],
  (one) => self({ sort: one === 'size' ? '' : one }),
)}
${fetchedLinks('Which topics', fetched, { only: 'around pages that were read', include: 'all' }, self)}
${list.total === 0 ? html`<div class="empty"><p>No topic has this in its name.</p><p><a href="${self({ label: '' })}">All topics of this level</a></p></div>` : topicList(context, list.clusters)}
${list.next !== null && html`<p class="more"><a href="${self({ cursor: list.next })}" rel="next">More topics</a></p>`}`,
  });
}

export async function topicPage(context: Context, asked: Asked): Promise<Html> {
  const { ask, href, json, dataOf } = context;
  const id = asked.text('id');
  const query = { id, limit: LIST_LENGTH, cursor: asked.text('cursor') };
  const topic = await ask.answer('clusterById', query);
  const { by, level, children, members, next } = topic;
  const ofCenter = await ask.answer('cluster', { url: topic.center.url, by, limit: 1 });
  const broader = topic.clustering === null ? ofCenter.levels.filter((one) => one.level > level) : [];
  const subtopics = children.filter(({ size }) => size > 1);
  const [above] = broader;
  const around =
    above === undefined ? [] : (await ask.answer('clusterById', { id: above.id, limit: 1 })).children;
  const neighbors = around.filter((one) => one.id !== topic.id && one.size > 1).slice(0, NEIGHBORS_SHOWN);
  const name = topicName(topic);
  return frame(context, {
    title: `Topic: ${name}`,
    at: '/explore/topics',
    ...dataOf('clusterById', query),
    body: html`${topicPath(context, broader)}
<h1><bdi>${name}</bdi></h1>
<p class="facts">${count(topic.size, 'page')} · ${topic.label.split(', ').slice(3).join(', ')}</p>
<p class="actions"><a href="${href('/explore/map', { url: topic.center.url })}">map around its center</a> <a href="${json('clusterById', query)}">as JSON</a></p>
${
  subtopics.length > 1 &&
  html`<section aria-labelledby="within"><h2 id="within">${level === 1 ? 'Tight groups in it' : 'Topics in it'}</h2>
${topicList(context, subtopics)}</section>`
}
<section aria-labelledby="pages"><h2 id="pages">Pages</h2>
<ol class="related" start="1">${members.map(
      (
        page,
      ) => html`<li>${bar(page.similarity, `similarity to the center ${page.similarity.toFixed(2)}`, { root: true })}
<div class="item"><p class="title">${pageLink(context, page)}</p><p class="where">${placeOf(page.url, null)}${page.url === topic.center.url && html` <span class="same">center</span>`}</p></div></li>\n`,
    )}</ol>
${next !== null && html`<p class="more"><a href="${href(`/explore/topics/${encodeURIComponent(topic.id)}`, { cursor: next })}" rel="next">More pages</a></p>`}
</section>
${
  neighbors.length > 0 &&
  html`<section aria-labelledby="beside"><h2 id="beside">Beside it</h2>
${topicList(context, neighbors)}</section>`
}`,
  });
}

/** Topics of one page are left out where others are there. */
function topicList(context: Context, topics: readonly ClusterSummaryAnswer[]): Html {
  const greatest = Math.max(...topics.map(({ size }) => size), 1);
  return html`<ol class="topics">${topics.map(
    (topic) => html`<li>${bar(topic.size / greatest, count(topic.size, 'page'))}
<div class="item"><p class="title">${topicLink(context, topic, 4)} <small>${count(topic.size)}</small></p>
${topicExamples(topic)}</div></li>\n`,
  )}</ol>`;
}

/** How many topics each level has, fine to broad. */
export async function levelTotals({ ask }: Context, fetched: 'only' | 'include'): Promise<number[]> {
  const totals: number[] = [];
  for (let level = 0; ; level++) {
    const { total } = await ask.answer('clusters', { level, fetched, limit: 1 });
    if (total === 0) return totals;
    totals.push(total);
  }
}

function levelName(level: number, count: number): string {
  if (level === 0) return 'tight groups';
  if (count <= 2) return 'topics';
  if (level === 1) return 'fine';
  return level === count - 1 ? 'broadest' : `level ${level}`;
}
