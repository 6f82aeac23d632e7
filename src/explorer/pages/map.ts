/** The neighborhood of a page as a picture, beside the same as a list. */

import { html } from '../../service/http/markup.ts';
import type { RelatedBatchAnswer } from '../../service/schemas/answers/list-answers.ts';
import { shownHost } from '../../url/shown-host.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import type { Pair } from '../map/layout.ts';
import { neighborhoodPicture, type PictureForm } from '../map/picture.ts';
import { SiteColors } from '../map/site-colors.ts';
import { bar } from '../parts/figures.ts';
import { cut, hostAndPort, pageLink, placeOf, titleOf } from '../parts/page-link.ts';
import type { Asked, Json, Made } from '../reply.ts';

const NEIGHBORS = 40;
/** On a phone the picture is a narrow one of fewer pages. */
const FORMS: readonly PictureForm[] = [
  { name: 'wide', width: 760, height: 640, pageCount: NEIGHBORS },
  { name: 'narrow', width: 350, height: 440, pageCount: 14 },
];
/** Of each of them; an index stores as many, and more would be searched for. */
const LIST_LENGTH = 30;

export async function mapPage(context: Context, asked: Asked): Promise<Made> {
  const { href } = context;
  const found = await neighborhood(context, asked.text('url'));
  const { url, title, related } = found;
  const colors = new SiteColors(
    url,
    related.map((page) => page.url),
  );
  return frame(context, {
    title: `Map: ${cut(title || url, 70)}`,
    asked: url,
    json: href('/explore/map.json', { url }),
    scripts: ['map.js'],
    wide: true,
    body: html`<h1>Around ${titleOf(found, 200)}</h1>
<p class="facts">Pages that share more words lie nearer to each other. Those whose names find no room in the picture stand in the list alone.</p>
<p class="actions"><a href="${href('/explore/page', { url })}">its page</a> <a href="${href('/explore/map.json', { url })}">as JSON</a></p>
${
  related.length === 0
    ? html`<div class="empty"><p>Nothing is near to this page, so there is no map.</p><p><a href="${href('/explore/page', { url })}">See why</a></p></div>`
    : html`<div class="mapped">
<div class="picture">${FORMS.map((form) => neighborhoodPicture(context, found, colors, form))}
<ul class="key" aria-label="Colors of sites">${colors.hosts.map((host, i) => html`<li class="site-${i}"><svg width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="6"/></svg> <bdi>${shownHost(host)}</bdi></li>`)}${colors.hasOthers && html`<li class="site-other"><svg width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="6"/></svg> other sites</li>`}</ul>
<ul class="key" aria-label="Sizes and lines">
<li><svg width="34" height="18" aria-hidden="true"><circle cx="7" cy="9" r="4"/><circle cx="24" cy="9" r="8"/></svg> larger: more in common with the page in the middle</li>
<li><svg width="34" height="18" aria-hidden="true"><line x1="2" y1="9" x2="32" y2="9"/></svg> joined: most in common with each other</li>
</ul>
<p class="facts pointed" role="status"></p></div>
<ol class="legend">${related.map(
        (
          page,
          i,
        ) => html`<li id="item-${i + 1}" data-page="${i + 1}"><span class="number">${i + 1}</span><div class="item"><p class="title">${pageLink(context, page)}</p>
${hostAndPort(page.url) !== hostAndPort(url) && html`<p class="where">${placeOf(page.url, url)}</p>`}</div>${bar(page.similarity, `similarity ${page.similarity.toFixed(2)}`, { root: true })}</li>\n`,
      )}</ol>
</div>`
}`,
  });
}

/** What the picture is made of. */
export async function mapJson(context: Context, asked: Asked): Promise<Json> {
  return { json: await neighborhood(context, asked.text('url')) };
}

async function neighborhood({ ask }: Context, url: string) {
  const center = await ask.answer('related', { url, limit: NEIGHBORS, fetched: 'only', explain: true });
  const { related } = center;
  const pairs: Pair[] = related.map(({ similarity }, i) => ({ one: 0, other: i + 1, similarity }));
  if (related.length > 0) {
    const places = new Map(related.map((page, i) => [page.url, i + 1]));
    const body = { urls: [...places.keys()], limit: LIST_LENGTH };
    const { results } = await ask.answer('relatedBatch', {}, body);
    for (const [i, result] of results.entries()) {
      if ('error' in result) continue;
      for (const page of result.related) {
        const other = places.get(page.url);
        // Of a pair that both lists have, once.
        if (other !== undefined && (other > i + 1 || !knows(results[other - 1]!, related[i]!.url)))
          pairs.push({
            one: Math.min(i + 1, other),
            other: Math.max(i + 1, other),
            similarity: page.similarity,
          });
      }
    }
  }
  return { url: center.url, title: center.title, related, pairs };
}

function knows(result: RelatedBatchAnswer['results'][number], url: string): boolean {
  return !('error' in result) && result.related.some((page) => page.url === url);
}
