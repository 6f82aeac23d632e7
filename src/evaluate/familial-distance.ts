/**
 * The familial distance of a page from a source page, in a tree of labels: the steps from the source's class
 * up to the lowest class that holds both. 0 same class (or below it), 1 sibling, 2 cousin, ...
 *
 *   Science ┬ Biology ┬ Birds    source: a page of Birds
 *           │         └ Mammals  1
 *           └ Physics            2
 *   History                      3
 *
 * A page of several classes is as far as its nearest.
 * Source  Haveliwala, Gionis, Klein, Indyk, WWW 2002, section 2.
 */

export type Path = readonly string[];

/** Shape  both lists have at least one path. */
export function familialDistance(source: readonly Path[], page: readonly Path[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const from of source) {
    for (const to of page) {
      let common = 0;
      while (common < from.length && from[common] === to[common]) common++;
      nearest = Math.min(nearest, from.length - common);
    }
  }
  return nearest;
}
