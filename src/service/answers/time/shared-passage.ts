import { sharedPassages } from '../../../join/copies/shared-passages.ts';
import { TokenSequence } from '../../../text/token-sequence.ts';
import { readTokens } from '../../../text/tokens.ts';
import type { Reads } from '../../reads/reads.ts';
import { MAX_TEXT_CHARS, sketchOptions } from '../copies/copy-source.ts';

const MAX_CHARS = 240;

/**
 * The longest passage of one stored text that another has too, as the other one has it, cut behind a word; null where the
 * index keeps no texts, or they share none.
 */
export async function sharedPassage(
  reads: Reads,
  versionId: number,
  otherId: number,
): Promise<string | null> {
  const [a, b] = await Promise.all([reads.versionText(versionId), reads.versionText(otherId)]);
  if (a === null || b === null || Math.max(a.text.length, b.text.length) > MAX_TEXT_CHARS) return null;
  const [left, right] = [a, b].map(({ text }) => readTokens(text, new TokenSequence()));
  const passages = sharedPassages(left!, right!, sketchOptions(reads.facts).shingleSize);
  const [first] = passages.toSorted((x, y) => y.tokenCount - x.tokenCount);
  if (first === undefined) return null;
  const text = b.text.slice(first.startOfB, first.endOfB).replace(/\s+/g, ' ').trim();
  if (text.length <= MAX_CHARS) return text;
  const end = text.lastIndexOf(' ', MAX_CHARS);
  return `${text.slice(0, end > 0 ? end : MAX_CHARS)} ...`;
}
