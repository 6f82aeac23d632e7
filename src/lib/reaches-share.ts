/**
 * Whether `part` of `whole` is the share `least` or more; false of nothing.
 *
 * A quotient is rounded as the decimal `least` was, so that 11 of 20 reach .55: .55 * 20 is a hair more than 11.
 */
export function reachesShare(part: number, whole: number, least: number): boolean {
  return part / whole >= least;
}
