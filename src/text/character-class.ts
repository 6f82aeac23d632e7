/**
 * What a code point is to the tokenizer. Classes come from the engine's Unicode tables, worked out for a
 * block of 256 code points when the first of them is met.
 */

export const SEPARATOR = 0;
const LETTER = 1;
/** A combining mark: part of the letter before it, as that of a sound of half-width kana is, and the stroke that stretches Arabic letters. */
export const MARK = 2;
/** Dropped where it stands between two letters: apostrophe, soft hyphen, joiners. */
export const DROPPED = 3;
/** A letter of a script written without spaces. */
export const UNSPACED = 4;
/** A letter that is a whole syllable, so that one alone is a word. */
export const SYLLABLE = 5;

const IS_LETTER = /^\p{L}$/u;
const IS_MARK = /^[\p{M}\u0640\uff9e\uff9f]$/u;
const IS_UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;
const IS_DROPPED = /^['\u2019\u02bc\u00ad\u200c\u200d]$/u;
const IS_SYLLABLE = /^[\uac00-\ud7a3]$/u;

const BLOCK_COUNT = 0x110000 >> 8;
const blocks: (Uint8Array | undefined)[] = new Array(BLOCK_COUNT).fill(undefined);

/** Class of a code point; a lone surrogate separates. */
export function characterClass(codePoint: number): number {
  const block = blocks[codePoint >> 8] ?? fillBlock(codePoint >> 8);
  return block[codePoint & 255]!;
}

function fillBlock(index: number): Uint8Array {
  const block = Uint8Array.from({ length: 256 }, (_, low) => classify((index << 8) | low));
  blocks[index] = block;
  return block;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (IS_DROPPED.test(character)) return DROPPED;
  if (IS_MARK.test(character)) return MARK;
  if (!IS_LETTER.test(character)) return SEPARATOR;
  if (IS_UNSPACED.test(character)) return UNSPACED;
  return IS_SYLLABLE.test(character) ? SYLLABLE : LETTER;
}
