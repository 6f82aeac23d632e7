/** What a page says, before any weighing: the treaty between HTML reading and bag making. */

export interface PageLink {
  /** Absolute, as resolved against the page's base; not yet canonical. */
  readonly target: string;
  /** The anchor's text is `text.slice(start, end)` of its page (empty for an image without alt). */
  readonly start: number;
  readonly end: number;
  /** rel=nofollow, ugc or sponsored: counted as a link, credited with no anchor window. */
  readonly nofollow: boolean;
}

export interface ExtractedPage {
  readonly title: string;
  /** Primary language subtag in lower case (`en`, `de`), or null where the page does not say. */
  readonly lang: string | null;
  /** Absolute target of rel=canonical, or null. */
  readonly canonical: string | null;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Visible text with image alternatives; a line break stands where a block element begins or ends. */
  readonly text: string;
  /** In document order. */
  readonly links: readonly PageLink[];
}
