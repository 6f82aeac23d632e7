/** Of 1 to 9 degrees of freedom, where the series is not yet near enough. */
const FEW = [12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157];
const NORMAL = 1.959964;

/**
 * How many standard errors an interval of 95 % reaches to either side where the error is estimated with so many degrees of freedom,
 * of which there are less by one than values: the quantile .975 of Student's t, to 1e-5. Infinity for none.
 *
 * Source  Abramowitz, Stegun, Handbook of Mathematical Functions, 26.7.5.
 */
export function studentT(degrees: number): number {
  if (degrees < 1) return Number.POSITIVE_INFINITY;
  const few = FEW[degrees - 1];
  if (few !== undefined) return few;
  const z = NORMAL;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduceRight((sum, term) => sum / degrees + term, 0);
}
