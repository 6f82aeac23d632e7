/**
 * What the search says, in the language of the page.
 *
 * @typedef {object} SearchWords
 * @property {string} search label of the box
 * @property {string} [one] of one page; `#` is the count
 * @property {string} many the same for more
 * @property {string} none where no page has the words
 * @property {string} instead what was looked for in place of a slip; `#` is the words
 * @property {string} left where words did not count; `#` is those
 * @property {string} failed where there is no answer
 * @property {string} more button for more results
 * @property {string} all the choice of all sites or languages
 * @property {string} site label of the choice of sites
 * @property {string} lang label of the choice of languages
 */

import { languageOf } from './elements.js';

/** @type {Record<string, SearchWords>} */
const SEARCH_WORDS = {
  en: {
    search: 'Search',
    one: '# page',
    many: '# pages',
    none: 'No page has these words.',
    instead: 'Results for #',
    left: 'Too many words, left out: #',
    failed: 'The search does not answer now.',
    more: 'More',
    all: 'All',
    site: 'Site',
    lang: 'Language',
  },
  ar: {
    search: 'بحث',
    many: 'الصفحات: #',
    none: 'لا توجد صفحة بهذه الكلمات.',
    instead: 'نتائج #',
    left: 'كلمات كثيرة جدًا، لم تُحتسب: #',
    failed: 'البحث لا يجيب الآن.',
    more: 'المزيد',
    all: 'الكل',
    site: 'الموقع',
    lang: 'اللغة',
  },
  de: {
    search: 'Suche',
    one: '# Seite',
    many: '# Seiten',
    none: 'Keine Seite hat diese Wörter.',
    instead: 'Ergebnisse für #',
    left: 'Zu viele Wörter, nicht beachtet: #',
    failed: 'Die Suche antwortet gerade nicht.',
    more: 'Mehr',
    all: 'Alle',
    site: 'Website',
    lang: 'Sprache',
  },
  es: {
    search: 'Buscar',
    one: '# página',
    many: '# páginas',
    none: 'Ninguna página tiene estas palabras.',
    instead: 'Resultados de #',
    left: 'Demasiadas palabras, no cuentan: #',
    failed: 'La búsqueda no responde ahora.',
    more: 'Más',
    all: 'Todo',
    site: 'Sitio',
    lang: 'Idioma',
  },
  fr: {
    search: 'Rechercher',
    one: '# page',
    many: '# pages',
    none: 'Aucune page ne contient ces mots.',
    instead: 'Résultats pour #',
    left: 'Trop de mots, ignorés : #',
    failed: 'La recherche ne répond pas.',
    more: 'Plus',
    all: 'Tout',
    site: 'Site',
    lang: 'Langue',
  },
  it: {
    search: 'Cerca',
    one: '# pagina',
    many: '# pagine',
    none: 'Nessuna pagina ha queste parole.',
    instead: 'Risultati per #',
    left: 'Troppe parole, ignorate: #',
    failed: 'La ricerca ora non risponde.',
    more: 'Altro',
    all: 'Tutto',
    site: 'Sito',
    lang: 'Lingua',
  },
  ja: {
    search: '検索',
    many: '#ページ',
    none: '該当するページはありません。',
    instead: '「#」の検索結果',
    left: '語が多すぎるため、無視した語：#',
    failed: '現在検索できません。',
    more: 'もっと見る',
    all: 'すべて',
    site: 'サイト',
    lang: '言語',
  },
  nl: {
    search: 'Zoeken',
    one: '# pagina',
    many: "# pagina's",
    none: 'Geen pagina heeft deze woorden.',
    instead: 'Resultaten voor #',
    left: 'Te veel woorden, niet meegeteld: #',
    failed: 'Het zoeken antwoordt nu niet.',
    more: 'Meer',
    all: 'Alles',
    site: 'Website',
    lang: 'Taal',
  },
  pl: {
    search: 'Szukaj',
    many: 'Strony: #',
    none: 'Żadna strona nie ma tych słów.',
    instead: 'Wyniki dla: #',
    left: 'Zbyt wiele słów, pominięto: #',
    failed: 'Wyszukiwarka teraz nie odpowiada.',
    more: 'Więcej',
    all: 'Wszystkie',
    site: 'Witryna',
    lang: 'Język',
  },
  pt: {
    search: 'Pesquisar',
    one: '# página',
    many: '# páginas',
    none: 'Nenhuma página tem estas palavras.',
    instead: 'Resultados para #',
    left: 'Palavras demais, ignoradas: #',
    failed: 'A pesquisa não responde agora.',
    more: 'Mais',
    all: 'Tudo',
    site: 'Site',
    lang: 'Idioma',
  },
  ru: {
    search: 'Поиск',
    many: 'Страницы: #',
    none: 'Нет страниц с этими словами.',
    instead: 'Результаты для: #',
    left: 'Слишком много слов, не учтены: #',
    failed: 'Поиск сейчас не отвечает.',
    more: 'Ещё',
    all: 'Все',
    site: 'Сайт',
    lang: 'Язык',
  },
  tr: {
    search: 'Ara',
    many: '# sayfa',
    none: 'Bu sözcükleri içeren sayfa yok.',
    instead: '# için sonuçlar',
    left: 'Çok fazla sözcük, sayılmayanlar: #',
    failed: 'Arama şu anda yanıt vermiyor.',
    more: 'Daha fazla',
    all: 'Tümü',
    site: 'Site',
    lang: 'Dil',
  },
  uk: {
    search: 'Пошук',
    many: 'Сторінки: #',
    none: 'Немає сторінок із цими словами.',
    instead: 'Результати для: #',
    left: 'Забагато слів, не враховано: #',
    failed: 'Пошук зараз не відповідає.',
    more: 'Ще',
    all: 'Усі',
    site: 'Сайт',
    lang: 'Мова',
  },
  zh: {
    search: '搜索',
    many: '# 个页面',
    none: '没有包含这些词的页面。',
    instead: '“#”的结果',
    left: '词太多，未计入：#',
    failed: '搜索暂时无法使用。',
    more: '更多',
    all: '全部',
    site: '网站',
    lang: '语言',
  },
};

/**
 * Words of the language that an element stands in; English where there are none.
 *
 * @param {Element} element
 * @returns {SearchWords}
 */
export function searchWordsFor(element) {
  return /** @type {SearchWords} */ (SEARCH_WORDS[languageOf(element)] ?? SEARCH_WORDS['en']);
}
