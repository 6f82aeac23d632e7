/** Counts by name, added up; by each name that one of them has. */
export function summed<Counts extends Readonly<Partial<Record<string, number>>>>(
  all: readonly Counts[],
): Counts {
  const sums: Partial<Record<string, number>> = {};
  for (const counts of all) {
    for (const [name, count = 0] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums as Counts;
}
