import type { Generation } from '../held/generation.ts';
import { escapeHtml } from '../http/html.ts';
import type { relatedPages } from './related.ts';

/** A fragment that stands by itself in any page: no script, no style, one class name. */
export function relatedHtml(
  generation: Generation,
  { pageIds, emptyReason }: ReturnType<typeof relatedPages>,
): string {
  if (pageIds.length === 0)
    return `<section class="akin-related" data-reason="${emptyReason ?? ''}"></section>\n`;
  let items = '';
  for (const pageId of pageIds) {
    const page = JSON.parse(`{${generation.catalog.head(pageId)}}`) as { url: string; title: string };
    const title = page.title.trim() === '' ? page.url : page.title;
    items += `<li><a href="${escapeHtml(page.url)}" rel="related noopener">${escapeHtml(title)}</a></li>\n`;
  }
  return `<section class="akin-related">\n<h2>Related pages</h2>\n<ul>\n${items}</ul>\n</section>\n`;
}
