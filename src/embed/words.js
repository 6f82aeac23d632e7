/**
 * What the components say, in the language of the page.
 *
 * @typedef {object} Words
 * @property {string} related heading of a list
 * @property {string} [one] button of one similar page; `#` is the count
 * @property {string} similar the same for more
 * @property {string} now heading of where a lost page is
 * @property {string} parts heading of pages that have parts of it
 * @property {string} perhaps heading of guesses
 */

/** @type {Record<string, Words>} */
const WORDS = {
  en: {
    related: 'Related pages',
    one: '# similar page',
    similar: '# similar pages',
    now: 'This page is now at',
    parts: 'Parts of this page are in',
    perhaps: 'Perhaps you are looking for',
  },
  ar: {
    related: 'صفحات ذات صلة',
    similar: 'صفحات مشابهة: #',
    now: 'هذه الصفحة موجودة الآن في',
    parts: 'أجزاء من هذه الصفحة موجودة في',
    perhaps: 'ربما تبحث عن',
  },
  de: {
    related: 'Verwandte Seiten',
    one: '# ähnliche Seite',
    similar: '# ähnliche Seiten',
    now: 'Diese Seite ist jetzt hier',
    parts: 'Teile dieser Seite sind in',
    perhaps: 'Vielleicht suchen Sie',
  },
  es: {
    related: 'Páginas relacionadas',
    one: '# página similar',
    similar: '# páginas similares',
    now: 'Esta página está ahora en',
    parts: 'Partes de esta página están en',
    perhaps: 'Quizá busque',
  },
  fr: {
    related: 'Pages liées',
    one: '# page similaire',
    similar: '# pages similaires',
    now: 'Cette page est maintenant ici',
    parts: 'Des parties de cette page sont dans',
    perhaps: 'Vous cherchez peut-être',
  },
  it: {
    related: 'Pagine correlate',
    one: '# pagina simile',
    similar: '# pagine simili',
    now: 'Questa pagina è ora in',
    parts: 'Parti di questa pagina sono in',
    perhaps: 'Forse cerca',
  },
  ja: {
    related: '関連ページ',
    similar: '類似ページ（#）',
    now: 'このページの現在の場所',
    parts: 'このページの一部があるページ',
    perhaps: 'お探しのページかもしれません',
  },
  nl: {
    related: "Verwante pagina's",
    one: '# vergelijkbare pagina',
    similar: "# vergelijkbare pagina's",
    now: 'Deze pagina staat nu op',
    parts: 'Delen van deze pagina staan in',
    perhaps: 'Misschien zoekt u',
  },
  pl: {
    related: 'Powiązane strony',
    similar: 'Podobne strony: #',
    now: 'Ta strona jest teraz tutaj',
    parts: 'Części tej strony są w',
    perhaps: 'Być może szukasz',
  },
  pt: {
    related: 'Páginas relacionadas',
    one: '# página semelhante',
    similar: '# páginas semelhantes',
    now: 'Esta página está agora em',
    parts: 'Partes desta página estão em',
    perhaps: 'Talvez procure',
  },
  ru: {
    related: 'Похожие по теме',
    similar: 'Такие же страницы: #',
    now: 'Эта страница теперь здесь',
    parts: 'Части этой страницы находятся в',
    perhaps: 'Возможно, вы ищете',
  },
  tr: {
    related: 'İlgili sayfalar',
    similar: 'Benzer sayfalar: #',
    now: 'Bu sayfa artık burada',
    parts: 'Bu sayfanın bölümleri burada',
    perhaps: 'Belki aradığınız',
  },
  uk: {
    related: 'Пов’язані сторінки',
    similar: 'Схожі сторінки: #',
    now: 'Ця сторінка тепер тут',
    parts: 'Частини цієї сторінки є в',
    perhaps: 'Можливо, ви шукаєте',
  },
  zh: {
    related: '相关页面',
    similar: '相似页面（#）',
    now: '此页面现位于',
    parts: '此页面的部分内容位于',
    perhaps: '您要找的可能是',
  },
};

/**
 * Words of the language that an element stands in; English where there are none.
 *
 * @param {Element} element
 * @returns {Words}
 */
export function wordsFor(element) {
  const tag = element.closest('[lang]:not([lang=same])')?.getAttribute('lang') ?? 'en';
  return /** @type {Words} */ (WORDS[tag.split(/[-_]/)[0]?.toLowerCase() ?? ''] ?? WORDS['en']);
}

/**
 * @param {Words} words
 * @param {number} count
 */
export function similarLabel({ one, similar }, count) {
  return (count === 1 ? (one ?? similar) : similar).replace('#', String(count));
}
