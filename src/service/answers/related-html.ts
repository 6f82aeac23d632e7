import type { Generation } from '../held/generation.ts';
import { escapeHtml } from '../http/html.ts';
import type { Selection } from './selection.ts';

/** A fragment that stands by itself in any page: no script, no style, one class name. */
export function relatedHtml(generation: Generation, selection: Selection): string {
  const { span, emptyReason } = selection;
  if (span.start === span.end)
    return `<section class="akin-related" data-reason="${emptyReason ?? ''}"></section>\n`;
  let items = '';
  for (let at = span.start; at < span.end; at++) {
    const page = JSON.parse(`{${generation.catalog.head(span.ids[at]!)}}`) as { url: string; title: string };
    const title = page.title.trim() === '' ? page.url : page.title;
    items += `<li><a href="${escapeHtml(page.url)}" rel="related noopener">${escapeHtml(title)}</a></li>\n`;
  }
  return `<section class="akin-related">\n<h2>Related pages</h2>\n<ul>\n${items}</ul>\n</section>\n`;
}
