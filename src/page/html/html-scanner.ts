/**
 * A page of HTML as tokens, one at a time, each as offsets into the page: nothing is copied.
 *
 *   <p class=a>fish &amp; chips<!-- x --></p>
 *   └ START ──┘└ TEXT ────────┘└ COMMENT ┘└ END_TAG
 *
 * The states of the standard are places in this code: a text, a tag, an attribute is read by one tight loop, a
 * comment and raw text by the engine's own search. What a token holds stays as written: character references,
 * NUL and line ends are the reader's business.
 *
 * Cost    one look at each unit, whatever the page; no allocation, except when the attribute list grows.
 * Source  HTML standard, 13.2.5 (tokenization).
 */
import { attributeValue } from './character-references.ts';
import { elementAt } from './element-names.ts';
import { CONTENT, PLAIN_TEXT, RCDATA, SCRIPT_DATA } from './elements.ts';
import {
  AMPERSAND,
  BANG,
  DASH,
  DOUBLE_QUOTE,
  EQUALS,
  endsAttributeName,
  endsName,
  GREATER,
  isBlank,
  isLetter,
  LESS,
  loadUnits,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  standsAt,
} from './page-units.ts';
import { endOfRawText, endOfScript } from './raw-text.ts';

/** The page is over. */
export const END = 0;
/** `html.slice(start, end)`, with character references where `hasReferences`. */
export const TEXT = 1;
/** `name...` and the attributes. */
export const START_TAG = 2;
/** `name...`. */
export const END_TAG = 3;
/** `html.slice(start, end)`, also of what the standard calls a bogus comment. */
export const COMMENT = 4;
export const DOCTYPE = 5;

/** What stands there is no token. */
const NO_TOKEN = -1;

/** Offsets of an attribute: of its name, of its value (equal where it has none). */
const OFFSETS = 4;

const SHORTEST_MARK = 'data-akin-body'.length;

function isMark(units: Uint16Array, start: number): boolean {
  return standsAt(units, start, 'data-akin-') || standsAt(units, start, 'data-pagefind-');
}

export class HtmlScanner {
  /** Units of the page; of the scanner made last, as they share their place. */
  readonly units: Uint16Array;
  readonly html: string;

  start = 0;
  end = 0;
  hasReferences = false;

  nameStart = 0;
  nameEnd = 0;
  /** What the name means: see `elements.ts`. */
  element = 0;
  isSelfClosing = false;
  attributeCount = 0;
  #attributes = new Int32Array(16 * OFFSETS);

  /** Whether a tag so far had an attribute by which pages mark their parts. */
  hasMarks = false;

  /** Set by the reader in svg and math: elements hold markup, whatever their name, and there is CDATA. */
  isForeign = false;
  /** `<x/>` is an empty element, and there is CDATA. */
  readonly #xhtml: boolean;
  #at = 0;
  /** How what stands at `#at` is read: CONTENT of the element just begun. */
  #content = 0;

  constructor(html: string, xhtml: boolean) {
    this.html = html;
    this.units = loadUnits(html);
    this.#xhtml = xhtml;
  }

  /** Goes on to the next token and says of what kind it is; offsets of the last one are written over. */
  next(): number {
    if (this.#content !== 0 && this.#readContent()) return TEXT;
    const { units } = this;
    const { length } = this.html;
    while (this.#at < length) {
      const from = this.#at;
      if (units[from] === LESS) {
        const token = this.#readMarkup(from);
        if (token !== NO_TOKEN) return token;
        if (this.#at > from) continue;
      }
      let at = from + 1;
      let unit = units[from]!;
      let hasReferences = unit === AMPERSAND;
      while (at < length && (unit = units[at]!) !== LESS) {
        if (unit === AMPERSAND) hasReferences = true;
        at++;
      }
      this.#at = at;
      return this.#text(from, at, hasReferences);
    }
    return END;
  }

  /** Where the token just read is over. */
  get position(): number {
    return this.#at;
  }

  /** The value of an attribute, first of its name, references resolved; null where there is none. */
  attribute(name: string): string | null {
    const { units } = this;
    const attributes = this.#attributes;
    const end = this.attributeCount * OFFSETS;
    for (let i = 0; i < end; i += OFFSETS) {
      const start = attributes[i]!;
      if (attributes[i + 1]! - start === name.length && standsAt(units, start, name)) {
        return attributeValue(this.html, units, attributes[i + 2]!, attributes[i + 3]!);
      }
    }
    return null;
  }

  /** Name as written and value of each attribute, doubles included. */
  *attributes(): Generator<[name: string, value: string]> {
    const { html, units } = this;
    const attributes = this.#attributes;
    for (let i = 0; i < this.attributeCount * OFFSETS; i += OFFSETS) {
      const name = html.slice(attributes[i], attributes[i + 1]);
      yield [name, attributeValue(html, units, attributes[i + 2]!, attributes[i + 3]!)];
    }
  }

  #text(start: number, end: number, hasReferences: boolean): number {
    this.start = start;
    this.end = end;
    this.hasReferences = hasReferences;
    return TEXT;
  }

  #comment(start: number, end: number, next: number): number {
    this.start = start;
    this.end = end;
    this.#at = next;
    return COMMENT;
  }

  /** The text of an element that holds no markup; false where it is empty. */
  #readContent(): boolean {
    const content = this.#content;
    this.#content = 0;
    const { html, units } = this;
    const from = this.#at;
    let end = html.length;
    if (content === SCRIPT_DATA) end = endOfScript(html, units, from);
    else if (content !== PLAIN_TEXT) end = endOfRawText(html, units, from, this.nameStart, this.nameEnd);
    this.#at = end;
    this.#text(from, end, content === RCDATA);
    return end > from;
  }

  /** Reads what begins with the `<` at `from`. NO_TOKEN without a step forward says that the `<` is text. */
  #readMarkup(from: number): number {
    const { html, units } = this;
    const unit = units[from + 1]!;
    if (isLetter(unit)) return this.#readTag(from + 1, START_TAG);
    if (unit === SLASH) {
      if (isLetter(units[from + 2]!)) return this.#readTag(from + 2, END_TAG);
      if (from + 2 >= html.length) return NO_TOKEN;
      if (units[from + 2] !== GREATER) return this.#readBogusComment(from + 2);
      this.#at = from + 3;
      return NO_TOKEN;
    }
    if (unit === QUESTION) return this.#readBogusComment(from + 1);
    return unit === BANG ? this.#readDeclaration(from + 2) : NO_TOKEN;
  }

  #readTag(nameStart: number, token: number): number {
    const { units } = this;
    const { length } = this.html;
    let at = nameStart + 1;
    while (at < length && !endsName(units[at]!)) at++;
    this.nameStart = nameStart;
    this.nameEnd = at;
    const end = this.#readAttributes(at);
    if (end < 0) {
      // A tag that the page ends in is none.
      this.#at = length;
      return END;
    }
    this.#at = end;
    this.element = elementAt(this.html, units, nameStart, at);
    const isMarkup = token === END_TAG || this.isForeign || (this.#xhtml && this.isSelfClosing);
    this.#content = isMarkup ? 0 : this.element & CONTENT;
    return token;
  }

  /** Reads a tag behind its name; returns where it is over, -1 where the page ends first. */
  #readAttributes(from: number): number {
    const { units } = this;
    const { length } = this.html;
    let at = from;
    this.attributeCount = 0;
    for (;;) {
      const gap = at;
      let unit = units[at]!;
      while (isBlank(unit) || unit === SLASH) unit = units[++at]!;
      if (unit === GREATER) {
        this.isSelfClosing = at > gap && units[at - 1] === SLASH;
        return at + 1;
      }
      if (at >= length) return -1;

      const nameStart = at++;
      while (at < length && !endsAttributeName(units[at]!)) at++;
      const nameEnd = at;
      while (isBlank(units[at]!)) at++;
      if (units[at] !== EQUALS) {
        this.#addAttribute(nameStart, nameEnd, nameEnd, nameEnd);
        continue;
      }
      at++;
      while (isBlank(units[at]!)) at++;
      const quote = units[at]!;
      let start = at;
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
        start++;
        at++;
        while (at < length && units[at] !== quote) at++;
        if (at >= length) return -1;
        this.#addAttribute(nameStart, nameEnd, start, at++);
      } else {
        while (at < length && (unit = units[at]!) !== GREATER && !isBlank(unit)) at++;
        this.#addAttribute(nameStart, nameEnd, start, at);
      }
    }
  }

  #addAttribute(nameStart: number, nameEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.attributeCount++ * OFFSETS;
    if (at === this.#attributes.length) {
      const grown = new Int32Array(2 * at);
      grown.set(this.#attributes);
      this.#attributes = grown;
    }
    const attributes = this.#attributes;
    attributes[at] = nameStart;
    attributes[at + 1] = nameEnd;
    attributes[at + 2] = valueStart;
    attributes[at + 3] = valueEnd;
    if (nameEnd - nameStart >= SHORTEST_MARK) this.hasMarks ||= isMark(this.units, nameStart);
  }

  /** From behind `<!`. */
  #readDeclaration(from: number): number {
    const { html, units } = this;
    if (units[from] === DASH && units[from + 1] === DASH) return this.#readComment(from + 2);
    if (standsAt(units, from, 'doctype')) {
      this.#readBogusComment(from);
      return DOCTYPE;
    }
    if ((this.isForeign || this.#xhtml) && html.startsWith('[CDATA[', from)) {
      const start = from + 7;
      const end = html.indexOf(']]>', start);
      this.#at = end < 0 ? html.length : end + 3;
      return this.#text(start, end < 0 ? html.length : end, false);
    }
    return this.#readBogusComment(from);
  }

  #readComment(start: number): number {
    const { html, units } = this;
    if (units[start] === GREATER) return this.#comment(start, start, start + 1);
    if (units[start] === DASH && units[start + 1] === GREATER) return this.#comment(start, start, start + 2);
    // From `>` to `>`: to look for `-->` and `--!>` by turns could take time without end.
    let at = html.indexOf('>', start);
    while (at >= 0) {
      const end = units[at - 1] === BANG ? at - 3 : at - 2;
      if (end >= start && units[end] === DASH && units[end + 1] === DASH)
        return this.#comment(start, end, at + 1);
      at = html.indexOf('>', at + 1);
    }
    return this.#comment(start, html.length, html.length);
  }

  /** Up to the next `>`. */
  #readBogusComment(start: number): number {
    const end = this.html.indexOf('>', start);
    return end < 0
      ? this.#comment(start, this.html.length, this.html.length)
      : this.#comment(start, end, end + 1);
  }
}
