/**
 * The stages of the profile haveliwala2000, as printed:
 *
 *   bags ─> signatures ─> pair generation ─> pair filter ─> pair sort ─> clusters
 *           m minima      pairs that share   enough values  by page, and the
 *                         a band of k        agree          K nearest of each
 *
 * Memory  4 m bytes a page for the signatures; all filtered pairs while they are sorted.
 * Source  Haveliwala, Gionis, Indyk 2000, sections 3.2 to 4; sketch/mh-signature.ts, join/printed/.
 */
import { neighborsFromPairs, type SimilarPairs } from '../../join/pairs/similar-pairs.ts';
import { filterOf, filterPairs, generatePairs, sortPairs } from '../../join/printed/extract-similar-pairs.ts';
import { chooseBands, type SignatureShape } from '../../sketch/lsh-signature.ts';
import { BagSigner, createHashFamily } from '../../sketch/mh-signature.ts';
import {
  CANDIDATES,
  FEATURE_HASHES,
  FILTERED_PAIRS,
  SIGNATURES,
  SIMILAR_PAIRS,
  SIMILAR_REPRESENTATIVES,
  VALUES_COMPARED,
} from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import type { TopicOptions } from '../options/build-options.ts';
import { loadBags } from '../weigh/bag-files.ts';
import { saveNeighbors } from './lists/neighbors.ts';

/** Pages signed between two reports of progress. */
const PAGES_PER_STEP = 4096;

/** MH-signatures of all pages, row by row. */
export function signPages(folder: WorkFiles, m: number, seed: number, onPages: (done: number) => void): void {
  const matrix = loadBags(folder);
  const featureHashes = FEATURE_HASHES.read(folder);
  const signer = new BagSigner(createHashFamily(m, seed), featureHashes);
  const pageCount = matrix.sums.length;
  const minima = new Uint32Array(pageCount * m);
  for (let from = 0; from < pageCount; from += PAGES_PER_STEP) {
    const to = Math.min(pageCount, from + PAGES_PER_STEP);
    signer.sign(matrix, from, to, minima.subarray(from * m, to * m));
    onPages(to);
  }
  SIGNATURES.write(folder, minima);
}

/** Pair generation: the pairs that share an LSH-signature. Returns their number. */
export function generateCandidates(folder: WorkFiles, signature: SignatureShape, seed: number): number {
  const { a, b } = CANDIDATES.writers(folder);
  const choice = chooseBands(signature.m, signature.k, signature.l, seed);
  const representative = generatePairs(SIGNATURES.read(folder), choice, (left, right) => {
    a.push(left);
    b.push(right);
  });
  closeAll([a, b]);
  SIMILAR_REPRESENTATIVES.write(folder, representative);
  return a.length;
}

/** The filter: those that agree in enough values. Returns their number. */
export function filterCandidates(
  folder: WorkFiles,
  m: number,
  options: Pick<TopicOptions, 'floor' | 'filterBytes' | 'filterValues'>,
): number {
  const filter = filterOf(SIGNATURES.read(folder), m, {
    leastAgreement: options.floor,
    bytesPerValue: options.filterBytes,
    valuesCompared: options.filterValues,
  });
  const filtered = FILTERED_PAIRS.writers(folder);
  for (const { a, b } of CANDIDATES.blocks(folder)) {
    filterPairs(filter, a, b, (left, right, agreement) => {
      filtered.a.push(left);
      filtered.b.push(right);
      filtered.agreement.push(agreement);
    });
  }
  closeAll(Object.values(filtered));
  VALUES_COMPARED.write(folder, Uint16Array.of(options.filterValues));
  return filtered.a.length;
}

/** The sort, and the lists of the most similar pages, both ways. Returns the entries of all lists. */
export function sortSimilarPairs(folder: WorkFiles, neighborLimit: number): number {
  const { a, b, agreement } = FILTERED_PAIRS.read(folder);
  SIMILAR_PAIRS.write(folder, sortPairs(a, b, agreement));
  return saveNeighbors(folder, neighborsFromPairs(loadSimilarPairs(folder), neighborLimit));
}

export function loadSimilarPairs(folder: WorkFiles): SimilarPairs {
  return {
    ...SIMILAR_PAIRS.read(folder),
    total: VALUES_COMPARED.read(folder)[0]!,
    representative: SIMILAR_REPRESENTATIVES.read(folder),
  };
}
