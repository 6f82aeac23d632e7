import { primarySubtag } from '../../../text/primary-subtag.ts';
import type { Reads } from '../../reads/reads.ts';

/** Headings of a list of related pages, and of where a lost page is: surely, in parts, perhaps. */
export interface FragmentWords {
  readonly related: string;
  readonly now: string;
  readonly parts: string;
  readonly perhaps: string;
}

/** By primary subtag, as the components have them (src/embed/words.js), which import nothing. */
const WORDS: Readonly<Record<string, FragmentWords>> = {
  en: {
    related: 'Related pages',
    now: 'This page is now at',
    parts: 'Parts of this page are in',
    perhaps: 'Perhaps you are looking for',
  },
  ar: {
    related: 'صفحات ذات صلة',
    now: 'هذه الصفحة موجودة الآن في',
    parts: 'أجزاء من هذه الصفحة موجودة في',
    perhaps: 'ربما تبحث عن',
  },
  de: {
    related: 'Verwandte Seiten',
    now: 'Diese Seite ist jetzt hier',
    parts: 'Teile dieser Seite sind in',
    perhaps: 'Vielleicht suchen Sie',
  },
  es: {
    related: 'Páginas relacionadas',
    now: 'Esta página está ahora en',
    parts: 'Partes de esta página están en',
    perhaps: 'Quizá busque',
  },
  fr: {
    related: 'Pages liées',
    now: 'Cette page est maintenant ici',
    parts: 'Des parties de cette page sont dans',
    perhaps: 'Vous cherchez peut-être',
  },
  it: {
    related: 'Pagine correlate',
    now: 'Questa pagina è ora in',
    parts: 'Parti di questa pagina sono in',
    perhaps: 'Forse cerca',
  },
  ja: {
    related: '関連ページ',
    now: 'このページの現在の場所',
    parts: 'このページの一部があるページ',
    perhaps: 'お探しのページかもしれません',
  },
  nl: {
    related: "Verwante pagina's",
    now: 'Deze pagina staat nu op',
    parts: 'Delen van deze pagina staan in',
    perhaps: 'Misschien zoekt u',
  },
  pl: {
    related: 'Powiązane strony',
    now: 'Ta strona jest teraz tutaj',
    parts: 'Części tej strony są w',
    perhaps: 'Być może szukasz',
  },
  pt: {
    related: 'Páginas relacionadas',
    now: 'Esta página está agora em',
    parts: 'Partes desta página estão em',
    perhaps: 'Talvez procure',
  },
  ru: {
    related: 'Похожие по теме',
    now: 'Эта страница теперь здесь',
    parts: 'Части этой страницы находятся в',
    perhaps: 'Возможно, вы ищете',
  },
  tr: {
    related: 'İlgili sayfalar',
    now: 'Bu sayfa artık burada',
    parts: 'Bu sayfanın bölümleri burada',
    perhaps: 'Belki aradığınız',
  },
  uk: {
    related: 'Пов’язані сторінки',
    now: 'Ця сторінка тепер тут',
    parts: 'Частини цієї сторінки є в',
    perhaps: 'Можливо, ви шукаєте',
  },
  zh: {
    related: '相关页面',
    now: '此页面现位于',
    parts: '此页面的部分内容位于',
    perhaps: '您要找的可能是',
  },
};

/** In a language, as a page says it; in English where there are none. */
export function fragmentWords(lang: string | null): FragmentWords {
  return WORDS[primarySubtag(lang) ?? 'en'] ?? WORDS['en']!;
}

/** An answer with words in the language of the page that it is about. */
export type Worded<Answer> = Answer & { readonly words: FragmentWords };

export async function worded<Answer extends { readonly url: string }>(
  reads: Reads,
  answer: Answer | Promise<Answer>,
): Promise<Worded<Answer>> {
  const known = await answer;
  const pageId = await reads.idOf(known.url);
  const lang = pageId < 0 ? null : (await reads.page(pageId)).lang;
  return { ...known, words: fragmentWords(lang) };
}
