/**
 * The segments that two texts share, whole: a text is cut at its natural breaks, behind the end of a sentence or at a line.
 * Where passages say what was kept word for word, segments say how many statements a reader meets again.
 *
 * Shape   a segment is the run of tokens between two breaks; equal ones count once, in their normal form.
 * Cost    linear in the texts.
 * Source  Brin, Davis and Garcia-Molina, Copy detection mechanisms for digital documents, 1995.
 */
import { hash64 } from '../../lib/hash.ts';
import type { TokenSequence } from '../../text/token-sequence.ts';

interface SharedSegments {
  /** Different ones of each, and those that both have. */
  readonly ofA: number;
  readonly ofB: number;
  readonly shared: number;
}

interface ReadText {
  readonly text: string;
  readonly tokens: TokenSequence;
}

export function sharedSegments(a: ReadText, b: ReadText): SharedSegments {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  return { ofA: left.size, ofB: right.size, shared: left.intersection(right).size };
}

/** The different segments, each as a digest of its tokens. */
function segmentsOf({ text, tokens }: ReadText): Set<string> {
  const found = new Set<string>();
  const { count, starts, ends, high, low } = tokens;
  let lanes: number[] = [];
  for (let i = 0; i < count; i++) {
    lanes.push(high[i]!, low[i]!);
    const gap = i + 1 === count ? '\n' : text.slice(ends[i]!, starts[i + 1]!);
    if (!BREAK.test(gap)) continue;
    found.add(digestOf(lanes));
    lanes = [];
  }
  return found;
}

/** Between two tokens: a line ends, or a sentence and then there is room. */
const BREAK = /\n|[.!?\u2026\u3002\uff01\uff1f]["'\u2019\u201d)\]]{0,3}\s|[\u3002\uff01\uff1f]/;

function digestOf(lanes: readonly number[]): string {
  hash64(lanes.join(), digest);
  return `${digest[0]} ${digest[1]}`;
}

const digest = new Uint32Array(2);
