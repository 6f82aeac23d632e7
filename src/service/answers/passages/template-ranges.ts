/** Where in a text the template of its host stands. */
import { shingleCount, shingleKeys } from '../../../text/shingle.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';

/** UTF-16 offsets, start inclusive, end exclusive. */
export type TextRange = readonly [start: number, end: number];

const tokens = new TokenSequence();
let keys = new Float64Array(1024);

/** What goes on with the word or the number that a template ends in, as `.4` of `2.4` and `-based`. */
const REST_OF_WORD = /(?:[.,:'’_/+@-][\p{L}\p{N}]{1,40}){1,4}/uy;

/**
 * The stretches of a text that are covered by shingles of a template, in order and apart from each other. None ends within a
 * word as it is written.
 *
 * @param template keys, ascending, as `template_shingle` has them. Cost  some 20 ns a letter.
 */
export function templateRanges(text: string, template: Float64Array, shingleSize: number): TextRange[] {
  if (template.length === 0) return [];
  readTokens(text, tokens);
  const room = shingleCount(tokens.count, shingleSize);
  if (room > keys.length) keys = new Float64Array(2 * room);
  const count = shingleKeys(tokens, shingleSize, keys);
  const isTemplate = new Set(template);
  const ranges: [start: number, end: number][] = [];
  for (let i = 0; i < count; i++) {
    if (!isTemplate.has(keys[i]!)) continue;
    const start = tokens.starts[i]!;
    const end = tokens.ends[Math.min(i + shingleSize, tokens.count) - 1]!;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else ranges.push([start, end]);
  }
  return withWholeWords(ranges, text);
}

function withWholeWords(ranges: readonly TextRange[], text: string): TextRange[] {
  const whole: [start: number, end: number][] = [];
  for (const [start, end] of ranges) {
    REST_OF_WORD.lastIndex = end;
    const wordEnd = end + (REST_OF_WORD.exec(text)?.[0].length ?? 0);
    const last = whole.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], wordEnd);
    else whole.push([start, wordEnd]);
  }
  return whole;
}
