import { escapeHtml } from '../../http/html.ts';
import type { RelatedAnswer, RelatedPageAnswer } from '../../schemas/answers/list-answers.ts';

/** A fragment that may stand in any page: no script, no style, only class names that begin with `akin-`. */
export function relatedHtml(
  { related, empty_reason: reason }: Pick<RelatedAnswer, 'related' | 'empty_reason'>,
  cards: boolean,
  heading: string,
): string {
  if (reason !== null) return `<section class="akin-related" data-reason="${reason}"></section>\n`;
  const items = related.map((page) => item(page, cards)).join('');
  const title = heading === '' ? '' : `<h2 class="akin-heading" dir="auto">${escapeHtml(heading)}</h2>\n`;
  return `<section class="akin-related">\n${title}<ul class="akin-list">\n${items}</ul>\n</section>\n`;
}

/** With a card: picture, description and date, each where the page has it. */
function item(page: RelatedPageAnswer, cards: boolean): string {
  const title = page.title.trim() === '' ? page.url : page.title;
  const link = `<a class="akin-link" href="${escapeHtml(page.url)}" rel="related noopener" dir="auto">`;
  const kind = page.fallback === undefined ? '' : ' akin-fallback';
  if (!cards) return `<li class="akin-item${kind}">${link}${escapeHtml(title)}</a></li>\n`;
  const { image, description, passage, published_at: date } = page;
  const about = description ?? passage;
  // Without alternative text: the title stands beside it, in the same link.
  const picture =
    image === undefined
      ? ''
      : `<img class="akin-image" src="${escapeHtml(image)}" alt="" ${IMAGE_ATTRIBUTES}>`;
  const text = about === undefined ? '' : `<p class="akin-description" dir="auto">${escapeHtml(about)}</p>`;
  const day = date === undefined ? '' : escapeHtml(date.slice(0, 'YYYY-MM-DD'.length));
  const time = day === '' ? '' : `<time class="akin-time" datetime="${day}">${day}</time>`;
  return `<li class="akin-item akin-card${kind}">${link}${picture}<span class="akin-title">${escapeHtml(title)}</span></a>${text}${time}</li>\n`;
}

/** A size that holds the place while a picture comes; a style sheet may give another. */
const IMAGE_ATTRIBUTES =
  'width="320" height="180" loading="lazy" decoding="async" referrerpolicy="no-referrer"';
