/** The tokens of a text, code point by code point: what the kernel is held against. */
import { mix32 } from '../../src/lib/hash.ts';
import { foldOf, IGNORED } from '../../src/text/fold.ts';

/** Of `foldOf`: a token by itself; what is above is part of one. */
const SINGLE = 3;
/** Half-width kana that have a sound of their own with the mark behind them, one to a match. */
const CHARACTER = /[\uff73\uff76-\uff84\uff8a-\uff8e\uff9c\uff66]\uff9e|[\uff8a-\uff8e]\uff9f|./gsu;
const HALF_KANA = /^[\uff66-\uff9d]/;

/** Start, end and both lanes of each. */
export function tokensOneByOne(text: string): number[][] {
  const found: number[][] = [];
  let folds: number[] = [];
  let start = 0;
  let end = 0;
  const push = (from: number, to: number, upper: number, lower: number) =>
    found.push([from, to, mix32(upper) | 0, mix32(lower) | 0]);
  const close = () => {
    if (folds.length === 0) return;
    let upper = 0x6a09e667;
    let lower = 0x2f0b4c47;
    for (const fold of folds) {
      upper = Math.imul(((upper << 11) | (upper >>> 21)) ^ fold, 0xc2b2ae3d);
      lower = (((lower << 5) | (lower >>> 27)) + upper) | 0;
    }
    push(start, end, upper, lower ^ upper);
    folds = [];
  };
  let at = 0;
  for (const character of text.match(CHARACTER) ?? []) {
    const codePoint = (HALF_KANA.test(character) ? character.normalize('NFKC') : character).codePointAt(0)!;
    const fold = foldOf(codePoint);
    const next = at + character.length;
    if (fold > SINGLE) {
      if (folds.length === 0) start = at;
      folds.push(fold);
      end = next;
    } else if (fold !== IGNORED || end < at) {
      close();
      if (fold === SINGLE) {
        const single = Math.imul(0x6a09e667 ^ codePoint, 0xc2b2ae3d);
        push(at, next, single, 0x2f0b4c47 + single);
      }
    }
    at = next;
  }
  close();
  return found;
}
