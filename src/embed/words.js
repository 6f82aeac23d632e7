/**
 * What the components say, in the language of the page.
 *
 * @typedef {object} Words
 * @property {string} related heading of a list
 * @property {string} [one] button of one similar page; `#` is the count
 * @property {string} similar the same for more
 */

/** @type {Record<string, Words>} */
const WORDS = {
  en: { related: 'Related pages', one: '# similar page', similar: '# similar pages' },
  ar: { related: 'صفحات ذات صلة', similar: 'صفحات مشابهة: #' },
  de: { related: 'Verwandte Seiten', one: '# ähnliche Seite', similar: '# ähnliche Seiten' },
  es: { related: 'Páginas relacionadas', one: '# página similar', similar: '# páginas similares' },
  fr: { related: 'Pages liées', one: '# page similaire', similar: '# pages similaires' },
  it: { related: 'Pagine correlate', one: '# pagina simile', similar: '# pagine simili' },
  ja: { related: '関連ページ', similar: '類似ページ（#）' },
  nl: { related: "Verwante pagina's", one: '# vergelijkbare pagina', similar: "# vergelijkbare pagina's" },
  pl: { related: 'Powiązane strony', similar: 'Podobne strony: #' },
  pt: { related: 'Páginas relacionadas', one: '# página semelhante', similar: '# páginas semelhantes' },
  ru: { related: 'Похожие по теме', similar: 'Такие же страницы: #' },
  tr: { related: 'İlgili sayfalar', similar: 'Benzer sayfalar: #' },
  uk: { related: 'Пов’язані сторінки', similar: 'Схожі сторінки: #' },
  zh: { related: '相关页面', similar: '相似页面（#）' },
};

/**
 * Words of the language that an element stands in; English where there are none.
 *
 * @param {Element} element
 * @returns {Words}
 */
export function wordsFor(element) {
  const tag = element.closest('[lang]')?.getAttribute('lang') ?? 'en';
  return /** @type {Words} */ (WORDS[tag.split('-')[0]?.toLowerCase() ?? ''] ?? WORDS['en']);
}

/**
 * @param {Words} words
 * @param {number} count
 */
export function similarLabel({ one, similar }, count) {
  return (count === 1 ? (one ?? similar) : similar).replace('#', String(count));
}
