/**
 * Equal pages stand for each other: one of each group goes through the join, the others come back after.
 */

interface FoldedPages {
  /** Pages that go on, ascending: the first of each group of equals. */
  readonly representatives: Uint32Array;
  /** Uint32Array(n): the number, in `representatives`, of the page that stands for each page. */
  readonly foldedId: Uint32Array;
}

/** Folds pages by fingerprint; pages without one (`''`, such as an empty page) stay by themselves. */
export function foldEqual(fingerprints: readonly string[]): FoldedPages {
  const first = new Map<string, number>();
  const representatives: number[] = [];
  const foldedId = new Uint32Array(fingerprints.length);
  for (const [page, fingerprint] of fingerprints.entries()) {
    const known = fingerprint === '' ? undefined : first.get(fingerprint);
    if (known !== undefined) {
      foldedId[page] = known;
      continue;
    }
    foldedId[page] = representatives.length;
    if (fingerprint !== '') first.set(fingerprint, representatives.length);
    representatives.push(page);
  }
  return { representatives: Uint32Array.from(representatives), foldedId };
}

/** Clusters of the folded pages as clusters of all pages: the smallest page of each cluster, by page. */
export function unfold(folded: FoldedPages, rootOfFolded: Uint32Array): Uint32Array {
  const { representatives, foldedId } = folded;
  return foldedId.map((id) => representatives[rootOfFolded[id]!]!);
}
