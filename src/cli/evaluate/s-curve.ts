import { independentRecall, sharedRecall } from '../../join/printed/s-curve.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import type { SCurveReport } from './report.ts';

const POINTS = 100;
const PRINTED = TOPIC_PROFILES.haveliwala2000;

/** m, k and l of an index that was built by signatures. */
export type SignatureSetting = { readonly m: number; readonly k: number; readonly l: number };

/** The theory of the setting that an index was built with, or of the printed one where `own` is null. */
export function sCurve(
  own: SignatureSetting | null,
  floor: number,
  measured: SCurveReport['measured'],
): SCurveReport {
  const { m, k, l } = own ?? PRINTED.signature!;
  const leastAgreement = Math.ceil((own ? floor : PRINTED.floor) * m);
  const theory = Array.from({ length: POINTS + 1 }, (_, i) => {
    const similarity = i / POINTS;
    return {
      similarity,
      independent: independentRecall(similarity, k, l),
      shared: sharedRecall(similarity, { m, k, l, leastAgreement }),
    };
  });
  return { m, k, l, leastAgreement, theory, measured };
}
