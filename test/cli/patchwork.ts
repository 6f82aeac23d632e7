import { Random } from '../../src/lib/random.ts';

const SENTENCES = 60;
const WORDS = 12;

/**
 * Pages of half of some sentences each, every one on a host of its own: any two share text, and few share enough to be
 * copies, so that the stage `copies` has much to compare and the other stages little to do.
 */
export function patchworkJsonl(pageCount: number, random = new Random(1)): string {
  const word = () => `w${random.below(200)}`;
  const sentences = Array.from({ length: SENTENCES }, () => Array.from({ length: WORDS }, word).join(' '));
  const lines = Array.from({ length: pageCount }, (_, page) => {
    const text = sentences.filter(() => random.below(2) === 0).join('. ');
    return JSON.stringify({ url: `http://host${page}.example/`, text });
  });
  return lines.join('\n');
}
