/** The printed pairs of a page beyond its stored list, from the signatures of the index. */

import type { NeighborSpan } from '../../../join/pairs/neighbor-table.ts';
import { type FilterRows, filterOf } from '../../../join/printed/extract-similar-pairs.ts';
import { pairsOfPage } from '../../../join/printed/pairs-of-page.ts';
import { type BandChoice, chooseBands } from '../../../sketch/lsh-signature.ts';
import type { RelationRecord } from '../../../store/records.ts';
import type { Accept } from '../../held/catalog.ts';
import type { Generation } from '../../held/generation.ts';

interface PrintedSearch {
  readonly signatures: Uint32Array;
  readonly choice: BandChoice;
  readonly filter: FilterRows;
}

/** Read when a list is first not enough, and kept for as long as their generation is served. */
const searches = new WeakMap<Generation, PrintedSearch>();

/** The `count` nearest pages that `accept` lets pass. Cost  one look at the signature of each page. */
export function printedNeighbors(
  generation: Generation,
  relation: RelationRecord,
  pageId: number,
  count: number,
  accept: Accept | null,
): NeighborSpan {
  let search = searches.get(generation);
  if (search === undefined) searches.set(generation, (search = openSearch(generation, relation)));
  const { signatures, choice, filter } = search;
  const found = pairsOfPage(signatures, choice, filter, pageId, count, accept);
  return { ...found, start: 0, end: found.ids.length };
}

function openSearch({ reader, card }: Generation, relation: RelationRecord): PrintedSearch {
  const { signature, seed, filter_bytes, filter_values } = card.parameters as {
    signature: { readonly m: number; readonly k: number; readonly l: number };
    seed: number;
    filter_bytes: 1 | 3;
    filter_values: number;
  };
  const signatures = reader.signatures(relation.id);
  return {
    signatures,
    choice: chooseBands(signature.m, signature.k, signature.l, seed),
    filter: filterOf(signatures, signature.m, {
      leastAgreement: relation.floor,
      bytesPerValue: filter_bytes,
      valuesCompared: filter_values,
    }),
  };
}
