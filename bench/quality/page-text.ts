import { extractPage } from '../../src/page/extract-page.ts';

/** Title and text of an HTML page, as indexed. */
export function pageText(html: string, url: string): string {
  const { title, text } = extractPage(html, 'text/html', url);
  return `${title}\n${text}`;
}
