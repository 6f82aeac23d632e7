/** Where one begins: the index in one line, things to try, its topics. */
import { COPY } from '../../relations/copy.ts';
import { listsText } from '../../relations/lists-text.ts';
import { lendShare, TOPIC } from '../../relations/topic.ts';
import { type Content, type Html, html } from '../../service/http/markup.ts';
import type { IndexAnswer, ReadyAnswer } from '../../service/schemas/answers/index-answers.ts';
import { shownHost } from '../../url/shown-host.ts';
import type { Context } from '../context.ts';
import { exhibits, type Named } from '../exhibits.ts';
import { frame } from '../frame.ts';
import { bytes, count, day } from '../parts/figures.ts';
import { hostAndPort, titleOf } from '../parts/page-link.ts';
import { topicExamples, topicLink, topicName } from '../parts/topic-link.ts';

export async function homePage(context: Context): Promise<Html> {
  const { ask, href, json } = context;
  const [card, ready] = await Promise.all([ask.answer('index'), ask.find(['not-ready'], 'readyz', {})]);
  const crawl = ready?.crawl;
  const { topics, across, copied, changed, lost } = await exhibits(context, card);
  const lists = listsOf(card);
  const known = card.page_count - card.fetched_page_count;
  const words = topicName(topics[1] ?? topics[0] ?? { label: 'a text of your own' }, 5).replaceAll(',', '');
  return frame(context, {
    title: 'What is related',
    json: json('index'),
    body: html`<h1 class="hidden">akin: what is related, and why</h1>
<p class="lead">Which pages are related to a page, and why. Ask with a URL, with words, or with <a href="${href('/explore/text')}">a text of your own</a>.</p>
<p class="facts">${count(card.fetched_page_count, 'page')}${known > 0 && html`, and ${count(known)} known by links,`} in ${count(card.sweeps.length, 'sweep')}, ${bytes(card.size_bytes)}, built ${day(card.built_at)}</p>
${lists !== null && html`<p class="facts">Lists are made ${lists}</p>`}
${crawl !== undefined && html`<p class="facts">${crawlLine(crawl)}</p>`}
<section aria-labelledby="try">
<h2 id="try">Try</h2>
<ul class="plain">
${across !== null && html`<li><a href="${href('/explore/page', { url: across.url, sites: 'exclude' })}">What do other sites have on ${quoted(across)}?</a> <small>${shownHost(hostAndPort(across.url))}</small></li>`}
<li><a href="${href('/explore/text', { text: words })}">Which pages are nearest to the words “<bdi>${words}</bdi>”?</a></li>
${topics[0] !== undefined && html`<li><a href="${href('/explore/map', { url: topics[0].center.url })}">What lies around ${quoted(topics[0].center)}? A map</a></li>`}
${copied !== null && html`<li><a href="${href('/explore/page', { url: copied.url, by: COPY.name })}">Which pages are copies of ${quoted(copied)}?</a></li>`}
${changed !== null && html`<li><a href="${href('/explore/page', { url: changed.url })}#history">How did ${quoted(changed)} change?</a></li>`}
${lost !== null && html`<li><a href="${href('/explore/moved', { url: lost.url })}">Where did ${quoted(lost)} go?</a></li>`}
${lost !== null && html`<li><a href="${href('/explore/moved')}">Which pages are lost?</a></li>`}
<li><a href="${href('/explore/random')}">A random page</a></li>
</ul>
</section>
<section aria-labelledby="topics">
<h2 id="topics">Topics</h2>
<ul class="cloud">${topics.map((topic) => html`<li>${topicLink(context, topic)} <small>${count(topic.size)}</small>${topicExamples(topic)}</li>\n`)}</ul>
<p class="more"><a href="${href('/explore/topics')}">All topics</a></p>
</section>`,
  });
}

/** How lists by words are made where that is not the usual way. */
function listsOf({ relations, parameters, blend }: IndexAnswer): string | null {
  const kernel = relations.find(({ by }) => by === TOPIC.name)?.kernel ?? null;
  if (blend !== null) return `by words, and by the vectors ${blend.vectors}, with a share of ${blend.share}`;
  return listsText({ kernel, lend: lendShare(parameters) });
}

/** What keeps the index fresh is doing, or when it begins again. */
function crawlLine({
  state,
  sweep,
  page_count: pages,
  next_at: nextAt,
}: NonNullable<ReadyAnswer['crawl']>): Html {
  if (state !== 'waiting') {
    const doing = state === 'crawling' ? 'A crawl is under way' : 'A crawl is being taken in';
    return html`${doing}: sweep ${count(sweep)}, ${count(pages, 'page')} so far.`;
  }
  return html`Kept fresh by crawls: the last one was sweep ${count(sweep)}, of ${count(pages, 'page')}${nextAt !== null && html`; the next one begins <time datetime="${nextAt}">${nextAt.slice(0, 16).replace('T', ' ')} UTC</time>`}.`;
}

function quoted(page: Named): Content {
  return html`“${titleOf(page, 60)}”`;
}
