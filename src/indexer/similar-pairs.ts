import { extractSimilarPairs } from '../join/extract-similar-pairs.ts';
import { neighboursFromPairs, type SimilarPairs } from '../join/similar-pairs.ts';
import { chooseBands } from '../sketch/lsh-signature.ts';
import { createHashFamily, mhSignature } from '../sketch/mh-signature.ts';
import { readArray, writeArray } from './array-file.ts';
import { loadBags } from './bags.ts';
import type { BuildOptions } from './build-options.ts';
import { saveNeighbours } from './neighbours.ts';
import type { WorkFolder } from './work-folder.ts';

/** MH-signatures of all pages, row by row. */
export function signPages(
  folder: WorkFolder,
  m: number,
  seed: number,
  onPages: (done: number) => void,
): void {
  const matrix = loadBags(folder);
  const featureHashes = readArray(folder.file('feature-hashes'), Uint32Array);
  const family = createHashFamily(m, seed);
  const pageCount = matrix.sums.length;
  const minima = new Uint32Array(pageCount * m);
  for (let page = 0; page < pageCount; page++) {
    const [from, to] = [matrix.offsets[page]!, matrix.offsets[page + 1]!];
    const bag = {
      features: matrix.features.subarray(from, to),
      weights: matrix.weights.subarray(from, to),
      sum: matrix.sums[page]!,
    };
    mhSignature(bag, featureHashes, family, minima, page * m);
    if (page % 4096 === 0) onPages(page);
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
