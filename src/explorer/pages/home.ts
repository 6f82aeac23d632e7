/** Where one begins: the index in one line, things to try, its topics. */
import type { ClusterListAnswer, ClusterSummaryAnswer } from '../../service/schemas/cluster-answers.ts';
import type { IndexAnswer, PageAnswer } from '../../service/schemas/index-answers.ts';
import type { RelatedBatchAnswer } from '../../service/schemas/list-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { type Html, html } from '../html.ts';
import { bytes, count, day } from '../parts/figures.ts';
import { hostAndPort, titleOf } from '../parts/page-link.ts';
import { topicLink, topicName } from '../parts/topic-link.ts';
import { levelTotals } from './topics.ts';

const TOPICS_SHOWN = 24;
const LIKELY_PAGES = 6;
const FEW_TOPICS = 4;

export async function homePage(context: Context): Promise<Html> {
  const { ask, href } = context;
  const card = await ask.get<IndexAnswer>('/index');
  const { topics, across } = await exhibits(context, card.generation);
  const known = card.page_count - card.fetched_page_count;
  const words = topicName(topics[1] ?? topics[0] ?? { label: 'a text of your own' }, 5).replaceAll(',', '');
  return frame(context, {
    title: 'What is related',
    json: href('/index'),
    body: html`<h1 class="hidden">akin: what is related, and why</h1>
<p class="lead">Which pages are related to a page, and why. Ask with a URL, with words, or with <a href="${href('/explore/text')}">a text of your own</a>.</p>
<p class="facts">${count(card.fetched_page_count, 'page')}${known > 0 && html` (and ${count(known)} known by links alone)`} in ${count(card.sweeps.length, 'sweep')}, ${bytes(card.size_bytes)}, built ${day(card.built_at)}</p>
<section aria-labelledby="try">
<h2 id="try">Try</h2>
<ul class="plain">
${across !== null && html`<li><a href="${href('/explore/page', { url: across.url, sites: 'exclude' })}">What do other sites have on “${titleOf(across, 60)}”?</a> <small>${hostAndPort(across.url)}</small></li>`}
${topics[0] !== undefined && html`<li><a href="${href('/explore/map', { url: topics[0].center.url })}">The neighbourhood of “${titleOf(topics[0].center, 60)}” as a map</a></li>`}
<li><a href="${href('/explore/text', { text: words })}">Pages nearest to the words “<bdi>${words}</bdi>”</a></li>
<li><a href="${href('/explore/random')}">A random page</a></li>
</ul>
</section>
<section aria-labelledby="topics">
<h2 id="topics">Topics</h2>
<ul class="cloud">${topics.map((topic) => html`<li>${topicLink(context, topic)} <small>${count(topic.size)}</small></li>\n`)}</ul>
<p class="more"><a href="${href('/explore/topics')}">All topics</a></p>
</section>`,
  });
}

interface Exhibits {
  readonly topics: readonly ClusterSummaryAnswer[];
  readonly across: { readonly url: string; readonly title: string } | null;
}

/** Of the generation that was shown last: the same for every visitor, and found by some fifteen questions. */
let shown: { readonly generation: string; readonly exhibits: Exhibits } | null = null;

async function exhibits(context: Context, generation: string): Promise<Exhibits> {
  if (shown?.generation === generation) return shown.exhibits;
  const levels = await levelTotals(context);
  // The broadest with a choice.
  const broadest = levels.findLastIndex((total) => total >= FEW_TOPICS);
  const list = { level: Math.max(broadest, 0), limit: TOPICS_SHOWN };
  const { clusters } = await context.ask.get<ClusterListAnswer>('/clusters', list);
  const topics = clusters.filter(({ size }) => size > 1);
  const centers = topics.slice(0, LIKELY_PAGES).map(({ center }) => center.url);
  const found = { topics, across: await relatedAcross(context, centers) };
  shown = { generation, exhibits: found };
  return found;
}

/** Of some pages the one that has the nearest pages on other sites. */
async function relatedAcross(
  { ask }: Context,
  urls: readonly string[],
): Promise<{ url: string; title: string } | null> {
  const pages = await Promise.all(urls.map((url) => ask.get<PageAnswer>('/page', { url })));
  const read = pages.filter(({ fetched }) => fetched).map(({ url }) => url);
  if (read.length === 0) return null;
  const body = { urls: read, same_site: 'exclude', fetched: 'only', limit: 3 };
  const { results } = await ask.post<RelatedBatchAnswer>('/related/batch', {}, body);
  let best: { url: string; title: string } | null = null;
  let greatest = 0;
  for (const result of results) {
    if ('error' in result) continue;
    const last = result.related.at(-1)?.similarity ?? 0;
    if (last > greatest) [best, greatest] = [result, last];
  }
  return best;
}
