/**
 * The printed pairs of one page, live: where its stored list was cut and filters leave too few, or more are asked for.
 *
 * A page is in them where EXTRACTSIMILARPAIRS makes a pair of it: one of the l LSH-signatures is the same and enough
 * values agree. So the answer goes on where the stored list ends, pair for pair.
 *
 *   every page:  values that agree >= least ?  ->  a common LSH-signature ?  ->  accepted ?  ->  sorted, cut
 *
 * Cost  some 60 ns a page of the collection with m = 80; memory 4 m bytes a page for the signatures.
 */
import { type BandChoice, sameBand } from '../../sketch/lsh-signature.ts';
import { type NeighborList, plainList } from '../pairs/neighbor-table.ts';
import { countAgreement, type FilterRows, isEmpty } from './extract-similar-pairs.ts';

/** Shape  signatures Uint32Array(n * m) row-major; `filter` of the same. */
export function pairsOfPage(
  signatures: Uint32Array,
  choice: BandChoice,
  filter: FilterRows,
  page: number,
  count: number,
  accept: ((pageId: number) => boolean) | null,
): NeighborList {
  const { m, l } = choice;
  const found: { id: number; agreement: number }[] = [];
  const pageCount = isEmpty(signatures, m, page) ? 0 : signatures.length / m;
  for (let id = 0; id < pageCount; id++) {
    if (id === page) continue;
    const agreement = countAgreement(filter, Math.min(page, id), Math.max(page, id));
    if (
      agreement < filter.least ||
      isEmpty(signatures, m, id) ||
      !meets(id) ||
      (accept !== null && !accept(id))
    )
      continue;
    found.push({ id, agreement });
  }
  const nearest = found.sort((x, y) => y.agreement - x.agreement || x.id - y.id).slice(0, count);
  return plainList(nearest.map(({ id, agreement }) => ({ id, shared: agreement, total: filter.total })));

  function meets(other: number): boolean {
    for (let band = 0; band < l; band++) if (sameBand(signatures, choice, band, page, other)) return true;
    return false;
  }
}
