import { HttpResolver, TOO_LONG } from '../url/http-reference.ts';
import { MAX_LINKS, type PageLink, type PageLinks } from './extracted-page.ts';
import type { PageText } from './html/page-text.ts';

const NO_CREDIT = /(?:^|\s)(?:nofollow|ugc|sponsored)(?:\s|$)/i;

/** The anchors of a page as they are met: at most one is open, an `a` inside an `a` ends the outer. */
export class LinkList {
  readonly #text: PageText;
  readonly #hrefs: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #nofollows: boolean[] = [];
  #droppedCount = 0;
  /** End of the last anchor or area, kept or not. */
  #lastEnd = -1;
  #isOpen = false;
  /** Of the open anchor. */
  #href = '';
  #rel: string | undefined;

  constructor(text: PageText) {
    this.#text = text;
  }

  /** An `a` start tag; without `href` it only ends the open one. */
  open(href: string | undefined, rel: string | undefined): void {
    this.close(true);
    if (href === undefined) return;
    // Menus set their entries apart by style alone; two anchors never share a word.
    if (this.#text.inWord && this.#lastEnd === this.#text.length) this.#text.space();
    this.#text.openSpan();
    this.#isOpen = true;
    this.#href = href;
    this.#rel = rel;
  }

  /** `implied`: by another anchor or the end of the page, so that the true end is anyone's guess. */
  close(implied: boolean): void {
    if (!this.#isOpen) return;
    const [start, end] = this.#text.closeSpan(implied);
    this.#push(this.#href, this.#rel, start, end);
    this.#isOpen = false;
  }

  /** An `area` of an image map: its text is its alternative. */
  area(href: string, rel: string | undefined, alt: string): void {
    this.close(true);
    this.#text.space();
    const start = this.#text.append(alt);
    this.#push(href, rel, start < 0 ? this.#text.length : start, this.#text.length);
    this.#text.space();
  }

  #push(href: string, rel: string | undefined, start: number, end: number): void {
    this.#lastEnd = end;
    if (this.#hrefs.length === MAX_LINKS) {
      this.#droppedCount++;
      return;
    }
    this.#hrefs.push(href);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#nofollows.push(rel !== undefined && NO_CREDIT.test(rel));
  }

  /** Resolves against the base, which may stand anywhere in the page; to be called when the page is read. */
  resolve(base: string): PageLinks {
    const kept: PageLink[] = [];
    const resolver = new HttpResolver(base);
    let tooLongCount = 0;
    for (let i = 0; i < this.#hrefs.length; i++) {
      const target = resolver.resolve(this.#hrefs[i]!);
      if (target === TOO_LONG) tooLongCount++;
      else if (target !== null) {
        kept.push({ target, start: this.#starts[i]!, end: this.#ends[i]!, nofollow: this.#nofollows[i]! });
      }
    }
    return { kept, droppedCount: this.#droppedCount + tooLongCount };
  }
}
