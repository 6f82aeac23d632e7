/**
 * How much a text changed from one capture to the next: by its digests where they tell, else by the
 * resemblance of the two sketches.
 */
import type { VersionRecord } from '../../../store/records.ts';
import { type Change, MAJOR_FROM, MINOR_FROM } from '../../schemas/answers/time-answers.ts';
import { type CopyFigures, copyFigures, EQUAL } from '../copies/copy-figures.ts';

export interface ChangeFigures {
  readonly changed: Exclude<Change, 'first'>;
  /** a is the text before, b the one after. */
  readonly figures: CopyFigures;
}

export function changeBetween(before: VersionRecord, after: VersionRecord): ChangeFigures {
  if (before.textDigest === after.textDigest) return { changed: 'identical', figures: EQUAL };
  if (before.tokenDigest === after.tokenDigest) return { changed: 'lexically_equal', figures: EQUAL };
  if (before.shingleDigest === after.shingleDigest) return { changed: 'shingle_equal', figures: EQUAL };
  const figures = copyFigures(before.sketch, after.sketch);
  const { value } = figures.resemblance;
  return { changed: value >= MINOR_FROM ? 'minor' : value >= MAJOR_FROM ? 'major' : 'rewritten', figures };
}
