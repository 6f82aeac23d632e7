import { type Html, html } from '../../service/http/markup.ts';
import type { ClusterSummaryAnswer } from '../../service/schemas/answers/cluster-answers.ts';
import type { Context } from '../context.ts';
import { count } from './figures.ts';
import { cut, titleOf } from './page-link.ts';

const NAME_TERMS = 3;
/** Titles below the name of a topic, its center's among them. */
export const TOPIC_EXAMPLES = 2;

/** The first terms of its label. */
export function topicName({ label }: Pick<ClusterSummaryAnswer, 'label'>, terms = NAME_TERMS): string {
  const name = label.split(', ').slice(0, terms).join(', ');
  return name === '' ? 'no name' : cut(name, 80);
}

export function topicLink({ href }: Context, topic: ClusterSummaryAnswer, terms?: number): Html {
  return html`<a href="${href(`/explore/topics/${encodeURIComponent(topic.id)}`)}"><bdi>${topicName(topic, terms)}</bdi></a>`;
}

/** Titles of some of its pages, each once, where the answer names them. */
export function topicExamples({ center, examples }: ClusterSummaryAnswer): Html | false {
  if (examples === undefined) return false;
  const byTitle = new Map([center, ...examples].map((page) => [page.title.trim() || page.url, page]));
  const pages = [...byTitle.values()].slice(0, TOPIC_EXAMPLES);
  return html`<p class="about">${pages.map((page, i) => html`${i > 0 && ' · '}${titleOf(page, 60)}`)}</p>`;
}

/** The topics that a page or a topic lies in, from broad to fine; a group of one is none, and one of two that hold the same is enough. */
export function topicPath(context: Context, levels: readonly ClusterSummaryAnswer[]): Html {
  const shown = levels
    .filter(({ size }, i) => size > 1 && size !== levels[i - 1]?.size)
    .toSorted((one, other) => other.level - one.level);
  return html`<nav class="path" aria-label="Topics, broad to fine"><ol>
<li><a href="${context.href('/explore/topics')}">Topics</a></li>
${shown.map((topic) => html`<li>${topicLink(context, topic)} <small>${count(topic.size)}</small></li>\n`)}</ol></nav>`;
}
