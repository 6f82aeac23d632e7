/**
 * Whether `part` of `whole` is the share `least` or more; false of nothing.
 *
 * A quotient is rounded as the decimal `least` was, so that 11 of 20 reach .55: .55 * 20 is a hair more than 11.
 */
export function reachesShare(part: number, whole: number, least: number): boolean {
  return part / whole >= least;
}

/** The fewest parts of `whole` that are a share or more: 7 of 25 are .28, though .28 * 25 is a hair more. */
export function leastReaching(share: number, whole: number): number {
  const parts = Math.ceil(share * whole);
  return reachesShare(parts - 1, whole, share) ? parts - 1 : parts;
}

/** The most parts of `whole` that are no more than a share: 29 of 100 are .29, though .29 * 100 is a hair less. */
export function mostWithin(share: number, whole: number): number {
  const parts = Math.floor(share * whole);
  return (parts + 1) / whole <= share ? parts + 1 : parts;
}
