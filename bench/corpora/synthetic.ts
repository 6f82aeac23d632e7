/**
 * Synthetic pages as JSON lines: the words of test/generated-bags.ts spelled out, for builds of any size.
 *
 * Each page has a title, a paragraph and a link to another page; one in eight names a canonical URL that was never
 * fetched, and one more line in ten is a redirect, so that aliases grow with the pages. Sites have some fifty pages.
 */
import { mix32 } from '../../src/lib/hash.ts';
import { createDraw, type SyntheticOptions } from '../../test/generated-bags.ts';

const SITE_PAGES = 50;
const CANONICAL_PAGES = 8;
const REDIRECT_PAGES = 10;
const TITLE_WORDS = 3;
/** No ending of these is one that the stemmer takes off. */
const LETTERS = 'bcfhjkmpqvwxz';

/** The lines of all pages, equal for equal options, each with its line break. */
export function* syntheticLines(options: SyntheticOptions): IterableIterator<string> {
  const { pageCount, seed = 1 } = options;
  const draw = createDraw(options);
  for (let page = 0; page < pageCount; page++) {
    const distinct = draw.page(page);
    const words: string[] = [];
    for (let i = 0; i < distinct; i++) {
      const word = spelled(draw.words[i]!);
      for (let n = 0; n < draw.counts[i]!; n++) words.push(word);
    }
    const other = mix32(page + seed) % pageCount;
    const title = words.slice(0, TITLE_WORDS).join(' ');
    const canonical =
      page % CANONICAL_PAGES === 0 ? `<link rel=canonical href="${siteOf(page)}/canonical/${page}">` : '';
    const html = `<title>${title}</title>${canonical}<p>${words.join(' ')} <a href="${urlOf(other)}">${words.at(-1)}</a>`;
    yield `${JSON.stringify({ url: urlOf(page), html })}\n`;
    if (page % REDIRECT_PAGES === 0) {
      yield `${JSON.stringify({ url: `${siteOf(page)}/old/${page}`, status: 301, location: urlOf(page) })}\n`;
    }
  }
}

function siteOf(page: number): string {
  return `http://site-${Math.floor(page / SITE_PAGES)}.example`;
}

function urlOf(page: number): string {
  return `${siteOf(page)}/page/${page}`;
}

/** A word for a number, of letters that the stemmer leaves as they are. */
export function spelled(word: number): string {
  let text = '';
  for (let rest = word + LETTERS.length ** 2; rest > 0; rest = Math.floor(rest / LETTERS.length)) {
    text += LETTERS[rest % LETTERS.length];
  }
  return text;
}
