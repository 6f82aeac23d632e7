/**
 * A page of HTML as tokens, one at a time, each as offsets into the page: nothing is copied.
 *
 *   <p class=a>fish &amp; chips<!-- x --></p>
 *   └ START ──┘└ TEXT ────────┘└ COMMENT ┘└ END_TAG
 *
 * A TEXT and a COMMENT, also one that the standard calls bogus, are `html.slice(start, end)`, tags the name and what follows
 * it. What they hold stays as written: character references, NUL and line ends are the reader's business. The kernel reads
 * them; `extractHtml` has it read the whole page.
 *
 * Cost    one look at each unit, whatever the page; no allocation.
 * Source  HTML standard, 13.2.5 (tokenization).
 */
import { elementOf } from './elements.ts';
import * as kernel from './html-kernel.ts';
import * as layout from './kernel-layout.ts';

export {
  COMMENT_TOKEN as COMMENT,
  DOCTYPE_TOKEN as DOCTYPE,
  END_TAG_TOKEN as END_TAG,
  NO_MORE as END,
  START_TAG_TOKEN as START_TAG,
  TEXT_TOKEN as TEXT,
} from './kernel-layout.ts';

const MATH = elementOf('math');

/** Of all scanners the one made last may be asked: they share their place. */
export class HtmlScanner {
  readonly html: string;

  constructor(html: string, xhtml: boolean) {
    this.html = html;
    kernel.loadPage(html, xhtml);
  }

  /** Goes on to the next token and says of what kind it is; offsets of the last one are written over. */
  next(): number {
    return kernel.kernel.nextToken();
  }

  get start(): number {
    return kernel.values[layout.START]!;
  }

  get end(): number {
    return kernel.values[layout.END]!;
  }

  /** Whether references in the text just read are such. */
  get hasReferences(): boolean {
    return kernel.values[layout.REFERENCES] !== 0;
  }

  get nameStart(): number {
    return kernel.values[layout.NAME_START]!;
  }

  get nameEnd(): number {
    return kernel.values[layout.NAME_END]!;
  }

  /** What the name means: see `elements.ts`. */
  get element(): number {
    return kernel.values[layout.ELEMENT]!;
  }

  get isSelfClosing(): boolean {
    return kernel.values[layout.SELF_CLOSING] !== 0;
  }

  /** Where the token just read is over. */
  get position(): number {
    return kernel.values[layout.POSITION]!;
  }

  /** Whether the rules for svg and math hold. */
  get isForeign(): boolean {
    return kernel.values[layout.IS_FOREIGN] !== 0;
  }

  /** Says that the page is in svg or math: elements hold markup, whatever their name, and there is CDATA. */
  set isForeign(isForeign: boolean) {
    kernel.kernel.startForeign(isForeign ? MATH : 0);
  }

  /** The value of an attribute, first of its name, references resolved; null where there is none. */
  attribute(name: string): string | null {
    return kernel.attribute(name) ?? null;
  }

  /** Name as written and value of each attribute, doubles included. */
  attributes(): Generator<[name: string, value: string]> {
    return kernel.attributes();
  }
}
