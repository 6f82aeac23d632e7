import { NO_CARD } from './card/page-card.ts';
import type { ExtractedPage } from './extracted-page.ts';
import { tidyLines } from './html/page-text.ts';

const MAX_TITLE_LENGTH = 80;

/** Reads text/plain: its lines, its first line (to 80 characters, at a word's end) as title, no links. */
export function extractText(text: string): ExtractedPage {
  const tidied = tidyLines(text);
  return {
    title: firstLine(tidied),
    isPlain: true,
    lang: null,
    canonical: null,
    noindex: false,
    nofollow: false,
    text: tidied,
    headings: [],
    card: () => NO_CARD,
    links: () => ({ kept: [], droppedCount: 0 }),
  };
}

/** The title of a plain text that has none of its own, which says nothing that the text does not say. */
export function firstLine(tidied: string): string {
  const end = tidied.indexOf('\n');
  const line = end < 0 ? tidied : tidied.slice(0, end);
  const space = line.length > MAX_TITLE_LENGTH ? line.lastIndexOf(' ', MAX_TITLE_LENGTH) : -1;
  // A copy, well formed: a slice would keep the whole text in memory, and may cut a pair in two.
  return ` ${line.slice(0, space > 0 ? space : MAX_TITLE_LENGTH)}`.slice(1).toWellFormed();
}
