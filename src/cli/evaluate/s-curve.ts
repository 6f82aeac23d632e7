import { independentRecall, sharedRecall } from '../../join/s-curve.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import type { SCurveReport } from './report.ts';

const POINTS = 100;
const PRINTED = TOPIC_PROFILES.haveliwala2000;

/** The theory of the setting that an index was built with, or of the printed one where it has no signatures. */
export function sCurve(
  parameters: Readonly<Record<string, unknown>>,
  floor: number,
  measured: NonNullable<SCurveReport['measured']>,
): SCurveReport {
  const own = parameters['signature'] as { m: number; k: number; l: number } | null | undefined;
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
  return { m, k, l, leastAgreement, theory, measured: own ? measured : null };
}
