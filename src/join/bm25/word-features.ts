import { isOfWords } from '../../features/parts.ts';
import { idf } from '../../features/weigh.ts';

/** What of the features of an index BM25 asks for, by their ids. */
export interface WordFeatures {
  /** Number of its part, from 1; 0 of a feature that is no word: links, pairs and own features count nothing. */
  readonly parts: Uint8Array;
  /** By which bags are weighed, see features/weigh.ts. */
  readonly bagIdf: Float64Array;
  /** That of BM25. */
  readonly idf: Float64Array;
}

interface CountedFeature {
  readonly part: string;
  /** Document frequency. */
  readonly pageCount: number;
}

/**
 * From the features of an index in the order of their ids.
 *
 * Source  the idf: Robertson, Zaragoza 2009, in the form that is never negative, ln(1 + (N - df + .5) / (df + .5)).
 */
export function wordFeatures(
  featureCount: number,
  features: Iterable<CountedFeature>,
  partPageCount: (part: string) => number,
): WordFeatures {
  const found = {
    parts: new Uint8Array(featureCount),
    bagIdf: new Float64Array(featureCount),
    idf: new Float64Array(featureCount),
  };
  const numbers = new Map<string, number>();
  let id = 0;
  for (const { part, pageCount } of features) {
    const at = id++;
    if (!isOfWords(part)) continue;
    const total = partPageCount(part);
    const bagIdf = idf(pageCount, total, 'flattened');
    if (bagIdf === 0) continue;
    if (!numbers.has(part)) numbers.set(part, numbers.size + 1);
    found.parts[at] = numbers.get(part)!;
    found.bagIdf[at] = bagIdf;
    found.idf[at] = Math.log(1 + (total - pageCount + 0.5) / (pageCount + 0.5));
  }
  return found;
}
