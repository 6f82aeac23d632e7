/** Records of one sweep: all of them, those that are captures of the index, and the others by what became of them. */
interface SweepCounts {
  readonly recordCount: number;
  readonly captureCount: number;
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Why records of a sweep are no captures, so that the sum holds. A capture that was there may be forgotten, as one that was
 * folded may speak again after a later sweep. Reasons that nothing is left of are left out.
 */
export function keptSkips({ recordCount, captureCount, skipped }: SweepCounts): Record<string, number> {
  const skips: Record<string, number> = { ...skipped };
  let missing = recordCount - captureCount;
  for (const count of Object.values(skips)) missing -= count;
  for (const reason of ['forgotten', 'canonical'] as const) {
    const known = skips[reason] ?? 0;
    skips[reason] = Math.max(0, known + missing);
    missing += known - skips[reason];
    if (skips[reason] === 0) delete skips[reason];
  }
  return skips;
}
