/**
 * Collects the text of a page, tidied as it comes: no white space at either end, one space or one line
 * break between words. Offsets given out while it grows stay true, because nothing is changed afterwards.
 *
 * Units are written to an array that serves page after page; one string is made at the end, with one byte a
 * character where that is enough.
 */

const NO_GAP = 0;
const SPACE = 1;
const LINE = 2;

/** White space and control characters: a space is written for them, one for a run. */
const BLANK = 1 << 16;
/** Zero-width: may stand inside a word and means nothing there. */
const INVISIBLE = 1 << 17;

/** UTF-16 unit to the unit that is written for it and what it is. */
const WRITTEN = Uint32Array.from({ length: 65536 }, (_, unit) => unit);
WRITTEN.fill(BLANK | 0x20, 0, 0x21);
WRITTEN.fill(BLANK | 0x20, 0x7f, 0xa1);
WRITTEN.fill(BLANK | 0x20, 0x2000, 0x200b);
for (const unit of [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]) WRITTEN[unit] = BLANK | 0x20;
for (const unit of [0xad, 0x200b, 0x2060]) WRITTEN[unit] = INVISIBLE;

const START_CAPACITY = 1 << 12;

let pieceUnits = new Uint16Array(1 << 8);

export class PageText {
  #units = new Uint16Array(START_CAPACITY);
  #length = 0;
  /** All units or-ed: below 256 if each is. */
  #union = 0;
  #gap = NO_GAP;
  #spanOpen = false;
  #spanStart = -1;
  #spanBreak = -1;

  /** Forgets all, to begin another text in the same place. */
  clear(): void {
    this.#length = 0;
    this.#union = 0;
    this.#gap = NO_GAP;
    this.#spanOpen = false;
    this.#spanStart = -1;
    this.#spanBreak = -1;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a piece of running text; pieces join without a gap. Returns where it begins, -1 for a blank one. */
  append(piece: string): number {
    if (piece.length > pieceUnits.length) pieceUnits = new Uint16Array(2 * piece.length);
    for (let i = 0; i < piece.length; i++) pieceUnits[i] = piece.charCodeAt(i);
    return this.appendUnits(pieceUnits, 0, piece.length);
  }

  /** The same for units `from` to `to` of an array. */
  appendUnits(units: Uint16Array, from: number, to: number): number {
    let at = from;
    let written = 0;
    while (at < to && (written = WRITTEN[units[at]!]!) >= BLANK) {
      if (this.#gap === NO_GAP && written < INVISIBLE) this.#gap = SPACE;
      at++;
    }
    if (at === to) return -1;

    let length = this.#length;
    const out = this.#reserve(length + to - at + 1);
    if (this.#gap !== NO_GAP && length > 0) out[length++] = this.#gap === LINE ? 0x0a : 0x20;
    const start = length;
    let union = this.#union;
    // Without a branch: where words end cannot be foretold. The second blank of a run is written over.
    let wasBlank = 0;
    for (; at < to; at++) {
      written = WRITTEN[units[at]!]!;
      if (written >= INVISIBLE) continue;
      const isBlank = written >>> 16;
      length -= wasBlank & isBlank;
      out[length++] = written;
      union |= written;
      wasBlank = isBlank;
    }
    this.#gap = wasBlank === 0 ? NO_GAP : SPACE;
    this.#length = length - wasBlank;
    this.#union = union & 0xffff;
    if (this.#spanOpen && this.#spanStart < 0) this.#spanStart = start;
    return start;
  }

  #reserve(capacity: number): Uint16Array {
    if (capacity > this.#units.length) {
      const grown = new Uint16Array(Math.max(capacity, 2 * this.#units.length));
      grown.set(this.#units.subarray(0, this.#length));
      this.#units = grown;
    }
    return this.#units;
  }

  space(): void {
    if (this.#gap === NO_GAP) this.#gap = SPACE;
  }

  lineBreak(): void {
    this.#gap = LINE;
    if (this.#spanStart >= 0 && this.#spanBreak < 0) this.#spanBreak = this.#length;
  }

  /** From here on the span's start (its first character) and first line break are watched. */
  openSpan(): void {
    this.#spanOpen = true;
    this.#spanStart = -1;
    this.#spanBreak = -1;
  }

  /** [start, end) of the span; `toBreak` ends it at its first line break. Empty at the end of text if blank. */
  closeSpan(toBreak: boolean): [number, number] {
    const end = toBreak && this.#spanBreak >= 0 ? this.#spanBreak : this.#length;
    const start = this.#spanStart < 0 ? end : this.#spanStart;
    this.#spanOpen = false;
    this.#spanStart = -1;
    this.#spanBreak = -1;
    return [start, end];
  }

  /** True right after a word, where the next piece would continue it. */
  get inWord(): boolean {
    return this.#gap === NO_GAP && this.#length > 0;
  }

  finish(): string {
    const units = this.#units.subarray(0, this.#length);
    if (this.#union < 0x100) return Buffer.from(units).toString('latin1');
    return Buffer.from(units.buffer, 0, units.byteLength).toString('utf16le').toWellFormed();
  }
}

const line = new PageText();

/** A text that is no page's own, tidied in the same way to one line. */
export function tidyLine(text: string): string {
  line.clear();
  line.append(text);
  return line.finish();
}
