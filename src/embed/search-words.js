/**
 * What the search says, in the language of the page.
 *
 * @typedef {object} SearchWords
 * @property {string} search label of the box
 * @property {string} [one] of one page; `#` is the count
 * @property {string} many the same for more
 * @property {string} none where no page has the words
 * @property {string} instead what was looked for in place of a slip; `#` is the words
 * @property {string} failed where there is no answer
 * @property {string} more button for more results
 * @property {string} all the choice of all sites or languages
 * @property {string} site label of the choice of sites
 * @property {string} lang label of the choice of languages
 */

/** @type {Record<string, SearchWords>} */
const SEARCH_WORDS = {
  en: {
    search: 'Search',
    one: '# page',
    many: '# pages',
    none: 'No page has these words.',
    instead: 'Results for #',
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
  const tag = element.closest('[lang]')?.getAttribute('lang') ?? 'en';
  return /** @type {SearchWords} */ (
    SEARCH_WORDS[tag.split(/[-_]/)[0]?.toLowerCase() ?? ''] ?? SEARCH_WORDS['en']
  );
}
