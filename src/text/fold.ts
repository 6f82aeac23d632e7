/** What a code point is to the canonical token sequence: a class, or the lower-case form of usual width that it counts as. */
import { characterClass, DROPPED, SEPARATOR, UNSPACED } from './character-class.ts';
import { usualWidth } from './width.ts';

export const BREAK = 1;
/** Left out of the token it stands in. */
export const IGNORED = 2;
/** A token by itself. */
const SINGLE = 3;

const IS_NUMBER = /^\p{N}$/u;

/** One of the classes, or a code point above them ('0', 48, is the least). */
export function foldOf(codePoint: number): number {
  const kind = characterClass(codePoint);
  if (kind === DROPPED) return IGNORED;
  if (kind === UNSPACED) return SINGLE;
  const character = String.fromCodePoint(codePoint);
  if (kind === SEPARATOR && !IS_NUMBER.test(character)) return BREAK;
  return usualWidth(character.toLowerCase()).codePointAt(0)!;
}
