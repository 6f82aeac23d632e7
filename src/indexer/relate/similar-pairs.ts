import { neighboursFromPairs, type SimilarPairs } from '../../join/pairs/similar-pairs.ts';
import { extractSimilarPairs } from '../../join/printed/extract-similar-pairs.ts';
import { chooseBands } from '../../sketch/lsh-signature.ts';
import { createHashFamily } from '../../sketch/mh-signature.ts';
import { BagSigner } from '../../sketch/sign-bags.ts';
import { readArray, writeArray } from '../files/array-file.ts';
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

/** EXTRACTSIMILARPAIRS and the lists of the most similar pages, both ways. Returns the number of pairs. */
export function findSimilarPairs(
  folder: WorkFolder,
  signature: { readonly m: number; readonly k: number; readonly l: number },
  options: BuildOptions,
): number {
  const minima = loadSignatures(folder);
  const choice = chooseBands(signature.m, signature.k, signature.l, options.seed);
  const pairs = extractSimilarPairs(minima, minima.length / signature.m, choice, {
    leastAgreement: options.floor,
    bytesPerValue: options.filterBytes,
    valuesCompared: options.filterValues,
  });
  writeArray(folder.file('pair-a'), pairs.a);
  writeArray(folder.file('pair-b'), pairs.b);
  writeArray(folder.file('pair-agreement'), pairs.agreement);
  writeArray(folder.file('pair-representative'), pairs.representative);
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
