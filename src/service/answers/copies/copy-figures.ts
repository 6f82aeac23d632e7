import { containment, type Estimate, overlapOf, resemblance } from '../../../sketch/resemblance.ts';
import type { ShingleSketch } from '../../../sketch/shingle-sketch.ts';
import { sixDecimals } from '../../http/six-decimals.ts';
import type { ContainmentAnswer, EstimateAnswer } from '../../schemas/answers/copy-answers.ts';

/** Resemblance of two texts, and the share of each that is in the other. */
export interface CopyFigures {
  readonly resemblance: Estimate;
  /** Share of the shingles of a that b has too. */
  readonly aInB: Estimate;
  readonly bInA: Estimate;
  /** Exact where both sketches hold every shingle. */
  readonly measure: 'exact' | 'estimate';
}

const WHOLE: Estimate = { value: 1, standardError: 0 };

/** Of two texts of one shingle set, whatever their sketches hold. */
export const EQUAL: CopyFigures = { resemblance: WHOLE, aInB: WHOLE, bInA: WHOLE, measure: 'exact' };

export function copyFigures(a: ShingleSketch, b: ShingleSketch): CopyFigures {
  const overlap = overlapOf(a, b);
  const { shared, ofA, ofB, sizeOfA, sizeOfB } = overlap;
  return {
    resemblance: resemblance(overlap),
    aInB: containment(overlap),
    bInA: containment({ shared, ofA: ofB, ofB: ofA, sizeOfA: sizeOfB, sizeOfB: sizeOfA }),
    measure: a.limit === Infinity && b.limit === Infinity ? 'exact' : 'estimate',
  };
}

/** Containment as lists say it: of the page or document asked about, and of the result. */
export function containmentOfResult({ aInB, bInA }: CopyFigures): ContainmentAnswer {
  return { asked_in_result: sixDecimals(aInB.value), result_in_asked: sixDecimals(bInA.value) };
}

export function estimateAnswer({ value, standardError }: Estimate): EstimateAnswer {
  return { value: sixDecimals(value), standard_error: sixDecimals(standardError) };
}
