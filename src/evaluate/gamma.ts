/**
 * Goodman and Kruskal's Gamma between two orderings of pages seen from a source page: by similarity and by
 * familial distance. Of two pages that both orderings tell apart, how much more often they agree than not:
 *
 *   Gamma = (agreeing - opposed) / (agreeing + opposed), from -1 to 1; 0 by chance.
 *
 * Pairs that one of the two ties do not count; `tied` says how many the similarity could not tell apart.
 * The counts of several sources are added before the division, so Gamma is one conditional probability.
 *
 * Cost    n log n for n pages a source, and n for each distance that occurs.
 * Source  Goodman, Kruskal, JASA 49, 1954; used for strategies of "related pages" by Haveliwala, Gionis,
 *         Klein, Indyk, WWW 2002, section 2.
 */

export interface PairCounts {
  readonly agreeing: number;
  readonly opposed: number;
  /** Of different distance but equal similarity. */
  readonly tied: number;
}

export interface Relative {
  readonly similarity: number;
  /** A small integer, 0 for the nearest. */
  readonly distance: number;
}

/** Compares all pairs of pages around one source. */
export function comparePairs(pages: readonly Relative[]): PairCounts {
  const sorted = [...pages].sort((x, y) => y.similarity - x.similarity);
  const distances = sorted.reduce((most, { distance }) => Math.max(most, distance), -1) + 1;
  const above = new Array<number>(distances).fill(0);
  let [agreeing, opposed, tied] = [0, 0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.similarity === sorted[from]!.similarity) to++;
    const group = new Array<number>(distances).fill(0);
    for (let i = from; i < to; i++) group[sorted[i]!.distance]!++;
    for (let own = 0; own < distances; own++) {
      for (let other = 0; other < distances; other++) {
        if (other < own) agreeing += group[own]! * above[other]!;
        if (other > own) opposed += group[own]! * above[other]!;
        if (other < own) tied += group[own]! * group[other]!;
      }
    }
    for (let own = 0; own < distances; own++) above[own]! += group[own]!;
    from = to;
  }
  return { agreeing, opposed, tied };
}

/**
 * The same for a list of the most similar pages, best first, where all other pages tie behind it.
 *
 * Shape  `distances[i]` of the page at place i; `totals[d]` pages at distance d, those of the list among them.
 * Cost   a step for each page of the list and each distance that occurs.
 */
export function compareList(distances: readonly number[], totals: readonly number[]): PairCounts {
  const rest = [...totals];
  let [agreeing, opposed, tied] = [0, 0, 0];
  for (const own of distances) {
    rest[own]!--;
    for (let other = 0; other < rest.length; other++) {
      if (other > own) agreeing += rest[other]!;
      if (other < own) opposed += rest[other]!;
    }
  }
  for (let own = 0; own < rest.length; own++) {
    for (let other = 0; other < own; other++) tied += rest[own]! * rest[other]!;
  }
  return { agreeing, opposed, tied };
}

export function addCounts(x: PairCounts, y: PairCounts): PairCounts {
  return {
    agreeing: x.agreeing + y.agreeing,
    opposed: x.opposed + y.opposed,
    tied: x.tied + y.tied,
  };
}

/** NaN where no pair is ordered by both. */
export function gamma({ agreeing, opposed }: PairCounts): number {
  return (agreeing - opposed) / (agreeing + opposed);
}
