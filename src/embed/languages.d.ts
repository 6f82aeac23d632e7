/** What is said in one language. */
interface Words {
  /** Heading of a list of related pages. */
  readonly related: string;
  /** Button of one similar page; `#` is the count. */
  readonly one?: string;
  /** The same for more. */
  readonly similar: string;
  /** Headings of where a lost page is: surely, in parts, perhaps. */
  readonly now: string;
  readonly parts: string;
  readonly perhaps: string;
}

declare const WORDS: Readonly<Record<string, Words>>;

export { WORDS, type Words };
