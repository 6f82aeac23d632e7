/**
 * What a request is called: its entity tag, and the cursor that leads to its next page.
 *
 * Both are made of the generation and a 64-bit hash of the normalized request, so that a repeated
 * request is answered 304 before any look-up, and a cursor can be checked without a table.
 * Cursor: generation (16 characters), hash (14), offset (base 36); opaque to callers.
 */
import { hash64 } from '../../../lib/hash.ts';
import { Problem } from '../problems/problem.ts';

/** Bumped whenever the same request to the same generation gets a different answer. */
const ANSWER_VERSION = 1;
const GENERATION_CHARS = 16;

/** A question that a list answers, as it was read. */
export interface ListQuestion<Query> {
  /** Those of the path and of the address; each has its one form. */
  readonly query: Query;
  /** Where the list goes on: its place in the list, or of pages that are looked at one by one the page to begin at. */
  readonly offset: number;
  /** The name of the question, for the cursor to the next page. */
  readonly hash: string;
}

const words = new Uint32Array(2);

/** 14 characters of base 36 that stand for a text. */
export function textHash(text: string): string {
  hash64(text, words);
  return base36(words[0]!) + base36(words[1]!);
}

const TWO_DIGITS = Array.from({ length: 36 ** 2 }, (_, n) => n.toString(36).padStart(2, '0'));

/** Seven digits, by a table: Number.toString is slow in every base but ten. */
function base36(word: number): string {
  const first = word < 36 ** 6 ? '0' : '1';
  const six = word % 36 ** 6;
  const high = Math.floor(six / 36 ** 4);
  const low = six - high * 36 ** 4;
  const middle = Math.floor(low / 36 ** 2);
  return first + TWO_DIGITS[high]! + TWO_DIGITS[middle]! + TWO_DIGITS[low - middle * 36 ** 2]!;
}

export function entityTag(generation: string, hash: string, detail: string): string {
  return `W/"${ANSWER_VERSION}-${generation.slice(0, GENERATION_CHARS)}-${hash}${detail}"`;
}

/** RFC 9110, 8.8.3; a comma may stand in one. */
export const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** RFC 9110 13.1.2: weak comparison with a list of tags; `*` is left to the caller. */
export function tagMatches(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag) return true;
  const opaque = tag.slice(2);
  return ifNoneMatch.match(ENTITY_TAG)?.some((given) => given === tag || given === opaque) === true;
}

export function makeCursor(generation: string, hash: string, offset: number): string {
  return generation.slice(0, GENERATION_CHARS) + hash + offset.toString(36);
}

/**
 * Offset that a cursor stands for; 0 without one. `views` are the parameters that it outlives.
 *
 * Errors  Problem `generation-changed` for a cursor of another generation, `invalid-cursor` for one that was
 *         made for other parameters or never made.
 */
export function readCursor(
  cursor: string | undefined,
  generation: string,
  hash: string,
  views: readonly string[],
): number {
  if (cursor === undefined) return 0;
  const prefix = generation.slice(0, GENERATION_CHARS);
  const shape = /^([0-9A-Za-z_-]{16})([0-9a-z]{14})([0-9a-z]{1,6})$/.exec(cursor);
  if (shape === null) throw new Problem('invalid-cursor', 'cursor: use the value of "next" unchanged');
  if (shape[1] !== prefix) {
    throw new Problem('generation-changed', 'cursor: the index was replaced; start again without a cursor');
  }
  if (shape[2] !== hash) {
    throw new Problem(
      'invalid-cursor',
      `cursor: it belongs to other parameters; only ${views.join(', ')} may change`,
    );
  }
  return Number.parseInt(shape[3]!, 36);
}
