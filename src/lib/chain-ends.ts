/**
 * Where following a map from each of its keys ends: at the first value that is no key. Of keys that lead to each other in
 * a circle one stands for all. What ends at itself is left out. Linear: every key is walked once.
 */
export function chainEnds(next: ReadonlyMap<number, number>): Map<number, number> {
  const ends = new Map<number, number>();
  for (const start of next.keys()) {
    const trail = new Set<number>();
    let at = start;
    while (next.has(at) && !ends.has(at) && !trail.has(at)) {
      trail.add(at);
      at = next.get(at)!;
    }
    const end = ends.get(at) ?? at;
    for (const id of trail) ends.set(id, end);
  }
  for (const [id, end] of ends) if (id === end) ends.delete(id);
  return ends;
}
