import { primarySubtag } from '../../text/primary-subtag.ts';

/** By primary subtag, as `<akin-related>` has them. */
const HEADINGS: Readonly<Record<string, string>> = {
  en: 'Related pages',
  ar: 'صفحات ذات صلة',
  de: 'Verwandte Seiten',
  es: 'Páginas relacionadas',
  fr: 'Pages liées',
  it: 'Pagine correlate',
  ja: '関連ページ',
  pl: 'Powiązane strony',
  pt: 'Páginas relacionadas',
  ru: 'Похожие по теме',
  tr: 'İlgili sayfalar',
  uk: 'Пов’язані сторінки',
  zh: '相关页面',
};

/** The heading of a list in the language of its page, in English where there is none; `lang` as the page says it. */
export function usualHeading(lang: string | null): string {
  return HEADINGS[primarySubtag(lang) ?? 'en'] ?? HEADINGS['en']!;
}
