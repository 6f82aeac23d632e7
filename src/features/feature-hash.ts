import { hash32 } from '../lib/hash.ts';
import type { Part } from './parts.ts';

const PART_SEED: Readonly<Record<string, number | undefined>> = {
  content: 1,
  title: 2,
  anchor: 3,
  out: 4,
  in: 5,
  heading: 6,
  bigram: 7,
};

/**
 * 32-bit hash of a feature by its name (a stem, or the URL of a page), the same in every index. Ids differ between indexes: what must be
 * equal for a stored page and a new document uses this hash, never the id.
 */
export function featureHash(part: Part, name: string): number {
  return hash32(name, PART_SEED[part] ?? hash32(part));
}

/** 21 bits of a form, never 0: together with the number of its stem they fit a double. */
export function formHash(form: string): number {
  return hash32(form) >>> 11 || 1;
}
