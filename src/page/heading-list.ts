import type { TextSpan } from './extracted-page.ts';
import type { PageText } from './html/page-text.ts';

/**
 * Where the headings of a page stand, h1 left out: it says once more what the title says. One without end tag before the
 * next one is the line in which it begins.
 */
export class HeadingList {
  readonly #text: PageText;
  readonly #starts: number[] = [];
  /** -1 of one without end tag. */
  readonly #ends: number[] = [];
  #isOpen = false;

  constructor(text: PageText) {
    this.#text = text;
  }

  open(isFirst: boolean): void {
    this.#isOpen = !isFirst;
    if (isFirst) return;
    this.#starts.push(this.#text.length);
    this.#ends.push(-1);
  }

  close(): void {
    if (this.#isOpen) this.#ends[this.#ends.length - 1] = this.#text.length;
    this.#isOpen = false;
  }

  /** Those that have a text, ascending, each behind the one before; `text` is that of the whole page. */
  spans(text: string): TextSpan[] {
    const spans: TextSpan[] = [];
    let next = text.length;
    for (let i = this.#starts.length - 1; i >= 0; i--) {
      const from = this.#starts[i]!;
      const start = text[from] === '\n' ? from + 1 : from;
      const end = this.#ends[i]! < 0 ? lineEnd(text, start) : this.#ends[i]!;
      // An empty one without end tag stands where the next one does.
      if (start < Math.min(end, next)) spans.push({ start, end: Math.min(end, next) });
      next = Math.min(start, next);
    }
    return spans.reverse();
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
