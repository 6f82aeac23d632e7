import { neighboursFromPairs, type SimilarPairs } from '../../join/pairs/similar-pairs.ts';
import { filterOf, filterPairs, generatePairs, sortPairs } from '../../join/printed/extract-similar-pairs.ts';
import { chooseBands } from '../../sketch/lsh-signature.ts';
import { BagSigner, createHashFamily } from '../../sketch/mh-signature.ts';
import { ArrayWriter, readArray, readBlocks, writeArray } from '../files/array-file.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import type { BuildOptions } from '../options/build-options.ts';
import { loadBags } from '../weigh/bags.ts';
import { saveNeighbours } from './neighbours.ts';

/** Pages signed between two reports of progress. */
const PAGES_PER_STEP = 4096;

/** MH-signatures of all pages, row by row. */
export function signPages(
  folder: WorkFolder,
  m: number,
  seed: number,
  onPages: (done: number) => void,
): void {
  const matrix = loadBags(folder);
  const featureHashes = readArray(folder.file('feature-hashes'), Uint32Array);
  const signer = new BagSigner(createHashFamily(m, seed), featureHashes);
  const pageCount = matrix.sums.length;
  const minima = new Uint32Array(pageCount * m);
  for (let from = 0; from < pageCount; from += PAGES_PER_STEP) {
    const to = Math.min(pageCount, from + PAGES_PER_STEP);
    signer.sign(matrix, from, to, minima.subarray(from * m, to * m));
    onPages(to);
  }
  writeArray(folder.file('signatures'), minima);
}

export function loadSignatures(folder: WorkFolder): Uint32Array {
  return readArray(folder.file('signatures'), Uint32Array);
}

/** Pair generation: the pairs that share an LSH-signature. Returns their number. */
export function generateCandidates(
  folder: WorkFolder,
  signature: { readonly m: number; readonly k: number; readonly l: number },
  seed: number,
): number {
  const a = new ArrayWriter(folder.file('candidate-a'), Uint32Array);
  const b = new ArrayWriter(folder.file('candidate-b'), Uint32Array);
  const choice = chooseBands(signature.m, signature.k, signature.l, seed);
  const representative = generatePairs(loadSignatures(folder), choice, (left, right) => {
    a.push(left);
    b.push(right);
  });
  for (const file of [a, b]) file.close();
  writeArray(folder.file('pair-representative'), representative);
  return a.length;
}

/** The filter: those that agree in enough values. Returns their number. */
export function filterCandidates(
  folder: WorkFolder,
  m: number,
  options: Pick<BuildOptions, 'floor' | 'filterBytes' | 'filterValues'>,
): number {
  const filter = filterOf(loadSignatures(folder), m, {
    leastAgreement: options.floor,
    bytesPerValue: options.filterBytes,
    valuesCompared: options.filterValues,
  });
  const a = new ArrayWriter(folder.file('filtered-a'), Uint32Array);
  const b = new ArrayWriter(folder.file('filtered-b'), Uint32Array);
  const agreements = new ArrayWriter(folder.file('filtered-agreement'), Uint16Array);
  const rights = readBlocks(folder.file('candidate-b'), Uint32Array);
  for (const lefts of readBlocks(folder.file('candidate-a'), Uint32Array)) {
    filterPairs(filter, lefts, rights.next().value!, (left, right, agreement) => {
      a.push(left);
      b.push(right);
      agreements.push(agreement);
    });
  }
  rights.return();
  for (const file of [a, b, agreements]) file.close();
  return a.length;
}

/** The sort, and the lists of the most similar pages, both ways. Returns the entries of all lists. */
export function sortSimilarPairs(
  folder: WorkFolder,
  options: Pick<BuildOptions, 'filterValues' | 'neighbourLimit'>,
): number {
  const { a, b, agreement } = sortPairs(
    readArray(folder.file('filtered-a'), Uint32Array),
    readArray(folder.file('filtered-b'), Uint32Array),
    readArray(folder.file('filtered-agreement'), Uint16Array),
  );
  writeArray(folder.file('pair-a'), a);
  writeArray(folder.file('pair-b'), b);
  writeArray(folder.file('pair-agreement'), agreement);
  const pairs = loadSimilarPairs(folder, options.filterValues);
  return saveNeighbours(folder, neighboursFromPairs(pairs, options.neighbourLimit));
}

export function loadSimilarPairs(folder: WorkFolder, valuesCompared: number): SimilarPairs {
  return {
    a: readArray(folder.file('pair-a'), Uint32Array),
    b: readArray(folder.file('pair-b'), Uint32Array),
    agreement: readArray(folder.file('pair-agreement'), Uint16Array),
    total: valuesCompared,
    representative: readArray(folder.file('pair-representative'), Uint32Array),
  };
}
