import type { PageCard } from './card/page-card.ts';
import type { PageMarks, WeightSpan } from './marks/marks.ts';

/** What a page says, before any weighing: the treaty between HTML reading and bag making. */

/** `text.slice(start, end)` of the text of a page. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Its span is the anchor's text (empty for an image without alt); one behind the end of the text that of a link with no words around it. */
export interface PageLink extends TextSpan {
  /** The canonical URL of what it leads to, as resolved against the page's base. */
  readonly target: string;
  /** rel=nofollow, ugc or sponsored: counted as a link that credits no page. */
  readonly nofollow: boolean;
}

export interface PageLinks {
  /** In document order, http and https only. */
  readonly kept: readonly PageLink[];
  /** Links left out: those behind the first MAX_LINKS, of whatever scheme, and those with too long a URL. */
  readonly droppedCount: number;
}

export interface ExtractedPage {
  readonly title: string;
  /** Whether it was read as plain text, so that its title may be its first line. */
  readonly isPlain: boolean;
  /** Primary language subtag in lower case (`en`, `de`), or null where the page does not say. */
  readonly lang: string | null;
  /** Absolute target of rel=canonical, or null. */
  readonly canonical: string | null;
  /** Absolute target of a meta refresh: where a browser goes on by itself; missing where there is none. */
  readonly refresh?: string;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Visible text with image alternatives; a line break stands where a block element begins or ends. */
  readonly text: string;
  /** Of h2 to h6, those that are not empty: ascending, none within another. */
  readonly headings: readonly TextSpan[];
  /** Of a page with marks: which, and the parts whose words count several times, ascending, none within another. */
  readonly marks?: PageMarks;
  readonly weights?: readonly WeightSpan[];
  /** Of its owner's, as a record gives them: not yet checked. */
  readonly fields?: object;
  /** What it says of itself for others to show, worked out at the call. */
  readonly card: () => PageCard;
  /** Resolves the links at the first call: who needs none pays nothing for them. */
  readonly links: () => PageLinks;
}
