/** Pages among which copies are planted: what is a copy of what is known beforehand. */
import { Random } from '../../src/lib/random.ts';
import { document, type TestPage } from './pages.ts';

const random = new Random(11);

/** `count` words drawn from 5,000: two such texts share no ten words in a row. */
export function randomWords(count: number): string[] {
  return Array.from({ length: count }, () => `w${random.below(5000)}`);
}

const ARTICLE = randomWords(400);
/** One word in fifty changed: each of 8 words is in 10 of the 391 shingles of 10 words. */
const EDITED = ARTICLE.map((word, i) => (i % 50 === 25 ? 'edited' : word));
/** Of the original and the revised page, by count: shingles of both, of one or the other. */
export const REVISED_RESEMBLANCE = (391 - 8 * 10) / (391 + 8 * 10);
const MENU = randomWords(60).join(' ');

function page(url: string, title: string, text: string, lang = ''): TestPage {
  const html = document(title, `<p>${text}</p>`);
  return { url, html: lang === '' ? html : html.replace('lang="en"', `lang="${lang}"`) };
}

const upper = (words: readonly string[]) => words.map((word) => word.toUpperCase()).join(', ');

export const ORIGINAL = 'https://a.example/article';
export const MIRROR = 'https://b.example/article';
export const RESET = 'https://c.example/article';
export const REVISED = 'https://d.example/article';
export const TRANSLATED = 'https://e.example/artikel';
export const COPIES = [ORIGINAL, MIRROR, RESET, REVISED];
/** Pages of one host that share their menu and no more. */
export const MENU_HOST = 'menus.example';

export const COPY_PAGES: readonly TestPage[] = [
  page(ORIGINAL, 'An article', ARTICLE.join(' ')),
  page(MIRROR, 'An article', ARTICLE.join(' ')),
  page(RESET, 'An article, set anew', upper(ARTICLE)),
  page(REVISED, 'An article, revised', EDITED.join(' ')),
  page(TRANSLATED, 'Ein Artikel', EDITED.slice(5).join(' '), 'de'),
  page('https://a.example/empty', 'Nothing', ''),
  page('https://b.example/empty', 'Nothing', ''),
  page('https://a.example/short', 'Short', 'a text of five words'),
  page('https://b.example/short', 'Short', 'A text of five words!'),
  ...Array.from({ length: 14 }, (_, i) =>
    page(`https://${MENU_HOST}/${i}`, `Page ${i}`, `${MENU} ${randomWords(40).join(' ')}`),
  ),
  ...Array.from({ length: 12 }, (_, i) =>
    page(`https://other.example/${i}`, `Other ${i}`, randomWords(120).join(' ')),
  ),
];
