/**
 * Rules of a robots.txt (RFC 9309, section 2.2.2): the longest that matches decides, `allow` between two of equal length;
 * `*` stands for any characters, `$` at the end for the end of the URL.
 *
 * Cost of a decision  O(rules + MAX_STARS x path) at worst: some 10 ms for a file that is all stars.
 */

export interface GivenRule {
  readonly isAllow: boolean;
  readonly pattern: string;
}

/** What a rule is matched as. */
interface Rule {
  readonly isAllow: boolean;
  /** What stands between the stars. */
  readonly pieces: readonly string[];
  readonly isWhole: boolean;
}

/** In all rules together; the longest rules take them first. */
const MAX_STARS = 5000;

export class PathRules {
  /** The rule that decides comes first. */
  readonly #rules: readonly Rule[];
  /** Rules with too many stars: an `allow` is left out, a `disallow` ends at its first star, so that it forbids more. */
  readonly shortened: number;

  /** @param read what the text between two stars stands for. */
  constructor(given: readonly GivenRule[], read: (piece: string) => string = (piece) => piece) {
    const byRank = given.toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllow) - Number(a.isAllow),
    );
    const rules: Rule[] = [];
    let stars = 0;
    let shortened = 0;
    for (const { isAllow, pattern } of byRank) {
      const isWhole = pattern.endsWith('$');
      const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*').map(read);
      const isAffordable = stars + pieces.length - 1 <= MAX_STARS;
      if (isAffordable) stars += pieces.length - 1;
      else shortened++;
      if (isAffordable) rules.push({ isAllow, pieces, isWhole });
      else if (!isAllow) rules.push({ isAllow, pieces: pieces.slice(0, 1), isWhole: false });
    }
    this.#rules = rules;
    this.shortened = shortened;
  }

  /** @param path path and query. */
  allow(path: string): boolean {
    return this.#rules.find((rule) => matches(rule, path))?.isAllow ?? true;
  }
}

/** Whether a beginning of the path matches, or all of it: each piece is taken at its first place, which is enough. */
function matches({ pieces, isWhole }: Rule, path: string): boolean {
  const first = pieces[0]!;
  if (!path.startsWith(first)) return false;
  if (pieces.length === 1) return !isWhole || path.length === first.length;
  let at = first.length;
  for (let i = 1; i < pieces.length - 1; i++) {
    const found = path.indexOf(pieces[i]!, at);
    if (found < 0) return false;
    at = found + pieces[i]!.length;
  }
  const last = pieces.at(-1)!;
  return isWhole ? path.length - last.length >= at && path.endsWith(last) : path.includes(last, at);
}
