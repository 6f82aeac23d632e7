/**
 * Collects the text of a page, tidied as it comes: no white space at either end, one space or one line
 * break between words. Offsets given out while it grows stay true, for nothing is changed afterwards.
 */

const NO_GAP = 0;
const SPACE = 1;
const LINE = 2;

/** Zero-width: may stand inside a word and means nothing there. */
const INVISIBLE = /[\u00ad\u200b\u2060]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BLANKS = /[\s\0-\x1f\x7f-\x9f]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNTIDY = /[^\S ]| {2}|[\0-\x1f\x7f-\x9f\u00ad\u200b\u2060]/;

export class PageText {
  #text = '';
  #gap = NO_GAP;
  #spanOpen = false;
  #spanStart = -1;
  #spanBreak = -1;

  get length(): number {
    return this.#text.length;
  }

  /** Adds a piece of running text; pieces join without a gap. Returns where it begins, -1 for a blank one. */
  append(piece: string): number {
    let run = piece;
    if (UNTIDY.test(run)) run = run.replace(INVISIBLE, '').replace(BLANKS, ' ');
    let end = run.length;
    if (end === 0) return -1;
    const begin = run.charCodeAt(0) === 32 ? 1 : 0;
    if (begin === 1 && this.#gap === NO_GAP) this.#gap = SPACE;
    if (begin === end) return -1;
    const trailing = run.charCodeAt(end - 1) === 32;
    if (trailing) end--;
    if (begin > 0 || trailing) run = run.slice(begin, end);
    if (this.#gap !== NO_GAP && this.#text !== '') this.#text += this.#gap === LINE ? '\n' : ' ';
    const start = this.#text.length;
    this.#text += run;
    this.#gap = trailing ? SPACE : NO_GAP;
    if (this.#spanOpen && this.#spanStart < 0) this.#spanStart = start;
    return start;
  }

  space(): void {
    if (this.#gap === NO_GAP) this.#gap = SPACE;
  }

  lineBreak(): void {
    this.#gap = LINE;
    if (this.#spanStart >= 0 && this.#spanBreak < 0) this.#spanBreak = this.#text.length;
  }

  /** From here on the span's start (its first character) and first line break are watched. */
  openSpan(): void {
    this.#spanOpen = true;
    this.#spanStart = -1;
    this.#spanBreak = -1;
  }

  /** [start, end) of the span; `toBreak` ends it at its first line break. Empty at the end of text if blank. */
  closeSpan(toBreak: boolean): [number, number] {
    const end = toBreak && this.#spanBreak >= 0 ? this.#spanBreak : this.#text.length;
    const start = this.#spanStart < 0 ? end : this.#spanStart;
    this.#spanOpen = false;
    this.#spanStart = -1;
    this.#spanBreak = -1;
    return [start, end];
  }

  /** True right after a word, where the next piece would continue it. */
  get inWord(): boolean {
    return this.#gap === NO_GAP && this.#text !== '';
  }

  finish(): string {
    return this.#text.toWellFormed();
  }
}
