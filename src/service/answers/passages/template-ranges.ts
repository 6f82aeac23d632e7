/** Where in a text the template of its host stands. */
import { shingleCount, shingleKeys } from '../../../text/shingle.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';

/** UTF-16 offsets, start inclusive, end exclusive. */
export type TextRange = readonly [start: number, end: number];

const tokens = new TokenSequence();
let keys = new Float64Array(1024);

/**
 * The stretches of a text that are covered by shingles of a template, in order and apart from each other.
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
  return ranges;
}
