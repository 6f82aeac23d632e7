import { readLinkedData } from './linked-data.ts';
import { cardDate, descriptionOf, imageUrl, NO_CARD, type PageCard, siteNameOf } from './page-card.ts';

/** JSON-LD that is read of a page, in UTF-16 units. */
const MAX_LINKED_DATA_LENGTH = 65_536;
/** A date stands near the heading of what it dates: so many characters of text behind its start, ... */
const HEADING_LENGTH = 400;
/** ... where more dates than those of publication and change are a list of other pages. */
const MAX_HEADING_TIMES = 2;

/** Names in `meta`, the most telling first, by what they are about. */
const IMAGE = ['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image', 'twitter:image:src'];
const DESCRIPTION = ['description', 'og:description', 'twitter:description'];
const SITE_NAME = ['og:site_name'];
const PUBLISHED = ['article:published_time', 'og:published_time', 'datepublished'];
const MODIFIED = [
  'article:modified_time',
  'og:updated_time',
  'datemodified',
  'last-modified',
  'dcterms.modified',
];
/** Asked when nothing else is known: they may be of the work, not of the page. */
const DATE = [
  'date',
  'dc.date',
  'dc.date.issued',
  'dcterms.date',
  'dcterms.created',
  'dcterms.issued',
  'pubdate',
];

const WANTED = new Set([IMAGE, DESCRIPTION, SITE_NAME, PUBLISHED, MODIFIED, DATE].flat());

/** Gathers what a page says of itself for others to show; made into a card when that is asked for. */
export class CardFacts {
  /** First value that is not blank, by name. */
  readonly #metas = new Map<string, string>();
  readonly #linkedData: string[] = [];
  #linkedDataLength = 0;
  readonly #times: string[] = [];

  sawMeta(name: string, content: string): void {
    if (WANTED.has(name) && !this.#metas.has(name) && content.trim() !== '') this.#metas.set(name, content);
  }

  /** JSON-LD behind the first 64 KiB is not read, and none of a script that goes on there. */
  sawLinkedData(start: number, end: number, textOf: (start: number, end: number) => string): void {
    if (this.#linkedDataLength + end - start > MAX_LINKED_DATA_LENGTH) return;
    this.#linkedDataLength += end - start;
    this.#linkedData.push(textOf(start, end));
  }

  /** @param at where it stands in the text; `headingAt` is where the first heading of the page does, -1 before that. */
  sawTime(datetime: string | undefined, at: number, headingAt: number): void {
    if (datetime === undefined || headingAt < 0 || at > headingAt + HEADING_LENGTH) return;
    if (this.#times.length <= MAX_HEADING_TIMES) this.#times.push(datetime);
  }

  card(): PageCard {
    if (this.#metas.size + this.#linkedData.length + this.#times.length === 0) return NO_CARD;
    const data = readLinkedData(this.#linkedData);
    const times = this.#times.length > MAX_HEADING_TIMES ? [] : this.#times;
    return {
      image: first([...this.#all(IMAGE), ...data.images], (text) => imageUrl(text)),
      description: first([...this.#all(DESCRIPTION), data.description], descriptionOf),
      publishedAt: first([...this.#all(PUBLISHED), data.publishedAt, ...this.#all(DATE), ...times], cardDate),
      modifiedAt: first([...this.#all(MODIFIED), data.modifiedAt], cardDate),
      siteName: first(this.#all(SITE_NAME), siteNameOf),
    };
  }

  #all(names: readonly string[]): string[] {
    return names.flatMap((name) => this.#metas.get(name) ?? []);
  }
}

/** What the first text gives that gives anything. */
function first(
  texts: readonly (string | null)[],
  read: (text: string | null) => string | null,
): string | null {
  for (const text of texts) {
    const value = read(text);
    if (value !== null) return value;
  }
  return null;
}
