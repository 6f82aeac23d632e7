/** The neighborhood of a page as a picture, beside the same as a list. */
import type { RelatedBatchAnswer } from '../../service/schemas/list-answers.ts';
import type { Context } from '../context.ts';
import { frame } from '../frame.ts';
import { html } from '../html.ts';
import type { Pair } from '../map/layout.ts';
import { neighborhoodPicture } from '../map/picture.ts';
import { bar } from '../parts/figures.ts';
import { cut, pageLink, placeOf, titleOf } from '../parts/page-link.ts';
import type { Asked, Json, Made } from '../reply.ts';

const NEIGHBORS = 40;
/** Of each of them; an index stores as many, and more would be searched for. */
const LIST_LENGTH = 30;

export async function mapPage(context: Context, asked: Asked): Promise<Made> {
  const { href } = context;
  const found = await neighborhood(context, asked.text('url'));
  const { url, title, related } = found;
  return frame(context, {
    title: `Map: ${cut(title || url, 70)}`,
    asked: url,
    json: href('/explore/map.json', { url }),
    scripts: ['map.js'],
    wide: true,
    body: html`<h1>Around ${titleOf(found, 200)}</h1>
<p class="facts">Pages that share more words lie nearer to each other. A filled disc is a page of the same site, an open one of another.</p>
<p class="actions"><a href="${href('/explore/page', { url })}">its page</a> <a href="${href('/explore/map.json', { url })}">as JSON</a></p>
${
  related.length === 0
    ? html`<div class="empty"><p>Nothing is near to this page, so there is no map.</p><p><a href="${href('/explore/page', { url })}">See why</a></p></div>`
    : html`<div class="mapped">
<div class="picture">${neighborhoodPicture(context, found)}</div>
<ol class="legend">${related.map(
        (
          page,
          i,
        ) => html`<li id="item-${i + 1}" data-page="${i + 1}"><span class="number">${i + 1}</span><div class="item"><p class="title">${pageLink(context, page)}</p>
${!page.same_site && html`<p class="where">${placeOf(page.url, url)}</p>`}</div>${bar(page.similarity, `similarity ${page.similarity.toFixed(2)}`, { root: true })}</li>\n`,
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
  const center = await ask.answer('related', { url, limit: NEIGHBORS, fetched: 'only' });
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
