import type { Generation } from '../held/generation.ts';
import { escapeHtml } from '../http/html.ts';
import type { EmptyReason } from '../schemas/list-answers.ts';
import type { relatedPages } from './related.ts';

/** A fragment that may stand in any page: no script, no style, only class names that begin with `akin-`. */
export function relatedHtml(
  generation: Generation,
  { pageIds, emptyReason }: ReturnType<typeof relatedPages>,
  heading: string,
): string {
  if (emptyReason !== null) return emptyFragment(emptyReason);
  const items = pageIds.map((pageId) => `<li class="akin-item">${link(generation, pageId)}</li>\n`).join('');
  const title = heading === '' ? '' : `<h2 class="akin-heading" dir="auto">${escapeHtml(heading)}</h2>\n`;
  return `<section class="akin-related">\n${title}<ul class="akin-list">\n${items}</ul>\n</section>\n`;
}

/** What stands where nothing is to be listed. */
export function emptyFragment(reason: EmptyReason | 'not_indexed'): string {
  return `<section class="akin-related" data-reason="${reason}"></section>\n`;
}

function link({ catalog }: Generation, pageId: number): string {
  const page = JSON.parse(`{${catalog.head(pageId)}}`) as { url: string; title: string };
  const title = page.title.trim() === '' ? page.url : page.title;
  const href = escapeHtml(page.url);
  return `<a class="akin-link" href="${href}" rel="related noopener" dir="auto">${escapeHtml(title)}</a>`;
}
