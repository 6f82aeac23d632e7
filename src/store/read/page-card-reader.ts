import type { PageCard } from '../../page/card/page-card.ts';
import type { IndexFile } from '../index-file.ts';
import { rowShape } from '../stored-values.ts';

type CardRow = PageCard & { readonly pageId: number };

export const CARD_KINDS = {
  image: 'web address or null',
  description: 'text or null',
  publishedAt: 'text or null',
  modifiedAt: 'text or null',
  siteName: 'text or null',
} as const;
const CARD_ROW = rowShape<CardRow>('card', { pageId: 'count', ...CARD_KINDS });

/** What the pages of one open index say of themselves for others to show. */
export class PageCardReader {
  readonly #file: IndexFile;

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Null where the page says nothing. */
  get(pageId: number): PageCard | null {
    const row = this.#file.get(CARD_ROW, 'WHERE page_id = ?', pageId);
    return row === undefined ? null : cardOf(row);
  }

  /** Those of all pages that say something, in id order, for loading into memory. */
  *all(): IterableIterator<{ readonly pageId: number; readonly card: PageCard }> {
    for (const row of this.#file.rows(CARD_ROW, 'ORDER BY page_id')) {
      yield { pageId: this.#file.pageId(row.pageId), card: cardOf(row) };
    }
  }
}

function cardOf({ pageId: _pageId, ...card }: CardRow): PageCard {
  return card;
}
