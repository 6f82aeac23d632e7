import { InputError } from '../errors.ts';
import { ALGORITHM_VERSION } from './database.ts';

/** Other features and sketches would make a new document incomparable with what is stored. */
export function requireAlgorithm(path: string, version: number): void {
  if (version === ALGORITHM_VERSION) return;
  const newer = version > ALGORITHM_VERSION;
  throw new InputError(
    newer ? 'AKIN_ERR_INDEX_NEWER' : 'AKIN_ERR_NOT_AN_INDEX',
    `${path} was made by algorithm version ${version}; this akin has version ${ALGORITHM_VERSION}`,
    {
      hint: newer
        ? 'update akin, or build the index again with this version'
        : 'build the index again from its source',
    },
  );
}
