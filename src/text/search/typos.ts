/** Words that are one slip of the fingers or two away from another. */

/** Slips that are looked for in a word: none in a short one, nor in one with a digit. */
export function mostTypos(word: string): number {
  if (!/^[\p{L}\p{M}]+$/u.test(word) || word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Distances of sorted words to one: letters that are missing, too many, others, or two that have changed places. What is
 * known of the letters that a word shares with the one before is not worked out again.
 *
 * Units   UTF-16 units.   Cost  O(letters of the word) for each letter that is not shared.
 * Source  optimal string alignment: R. Lowrance, R. Wagner, JACM 22, 1975, where a pair of letters is touched once.
 */
export class TypoMeter {
  readonly #word: string;
  readonly #most: number;
  /** Row d: distances of the first d letters of the candidate to each beginning of the word. */
  readonly #rows: Uint8Array[];
  #candidate = '';
  /** Rows up to here are those of the candidate. */
  #depth = 0;

  constructor(word: string, most: number) {
    this.#word = word;
    this.#most = most;
    this.#rows = [Uint8Array.from({ length: word.length + 1 }, (_, i) => i)];
  }

  /**
   * The distance, or `most` + 1 where it is larger. `dead` is then how many letters of the candidate rule out every word
   * that begins with them; 0 where none do.
   */
  measure(candidate: string): { readonly distance: number; readonly dead: number } {
    const most = this.#most;
    const shared = sharedLength(this.#candidate, candidate, this.#depth);
    this.#candidate = candidate;
    this.#depth = shared;
    for (let depth = shared; depth < candidate.length; depth++) {
      this.#depth = depth + 1;
      if (this.#addRow(depth) > most) return { distance: most + 1, dead: depth + 1 };
    }
    const distance = this.#rows[candidate.length]![this.#word.length]!;
    return { distance: Math.min(distance, most + 1), dead: 0 };
  }

  /** Returns the least of the row. */
  #addRow(depth: number): number {
    const word = this.#word;
    const unit = this.#candidate.charCodeAt(depth);
    const before = this.#rows[depth]!;
    const row = (this.#rows[depth + 1] ??= new Uint8Array(word.length + 1));
    row[0] = depth + 1;
    let least = row[0];
    for (let i = 1; i <= word.length; i++) {
      const isSame = word.charCodeAt(i - 1) === unit;
      let distance = Math.min(before[i]! + 1, row[i - 1]! + 1, before[i - 1]! + (isSame ? 0 : 1));
      const isSwapped =
        depth > 0 &&
        i > 1 &&
        word.charCodeAt(i - 2) === unit &&
        word.charCodeAt(i - 1) === this.#candidate.charCodeAt(depth - 1);
      if (isSwapped) distance = Math.min(distance, this.#rows[depth - 1]![i - 2]! + 1);
      row[i] = distance;
      if (distance < least) least = distance;
    }
    return least;
  }
}

function sharedLength(a: string, b: string, most: number): number {
  const limit = Math.min(a.length, b.length, most);
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
