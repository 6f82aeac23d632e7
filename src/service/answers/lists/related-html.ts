import type { Generation } from '../../held/generation.ts';
import { escapeHtml } from '../../http/html.ts';
import { cardFields } from '../pages/card-fields.ts';
import type { FoundList } from './found-list.ts';

/** A fragment that may stand in any page: no script, no style, only class names that begin with `akin-`. */
export function relatedHtml(
  generation: Generation,
  list: FoundList,
  cards: boolean,
  heading: string,
): string {
  if (list.emptyReason !== null)
    return `<section class="akin-related" data-reason="${list.emptyReason}"></section>\n`;
  const items = list
    .pageIds()
    .map((pageId) => item(generation, pageId, cards))
    .join('');
  const title = heading === '' ? '' : `<h2 class="akin-heading" dir="auto">${escapeHtml(heading)}</h2>\n`;
  return `<section class="akin-related">\n${title}<ul class="akin-list">\n${items}</ul>\n</section>\n`;
}

/** With a card: picture, description and date, each where the page has it. */
function item(generation: Generation, pageId: number, cards: boolean): string {
  const page = JSON.parse(`{${generation.catalog.head(pageId)}}`) as { url: string; title: string };
  const title = page.title.trim() === '' ? page.url : page.title;
  const link = `<a class="akin-link" href="${escapeHtml(page.url)}" rel="related noopener" dir="auto">`;
  if (!cards) return `<li class="akin-item">${link}${escapeHtml(title)}</a></li>\n`;
  const { image, description, published_at: date } = cardFields(generation, pageId);
  // Without alternative text: the title stands beside it, in the same link.
  const picture =
    image === undefined
      ? ''
      : `<img class="akin-image" src="${escapeHtml(image)}" alt="" ${IMAGE_ATTRIBUTES}>`;
  const text =
    description === undefined ? '' : `<p class="akin-description" dir="auto">${escapeHtml(description)}</p>`;
  const day = date === undefined ? '' : escapeHtml(date.slice(0, 'YYYY-MM-DD'.length));
  const time = day === '' ? '' : `<time class="akin-time" datetime="${day}">${day}</time>`;
  return `<li class="akin-item akin-card">${link}${picture}<span class="akin-title">${escapeHtml(title)}</span></a>${text}${time}</li>\n`;
}

/** A size that holds the place while a picture comes; a style sheet may give another. */
const IMAGE_ATTRIBUTES =
  'width="320" height="180" loading="lazy" decoding="async" referrerpolicy="no-referrer"';
