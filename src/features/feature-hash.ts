import { hash32 } from '../lib/hash.ts';
import type { Part } from './bag.ts';

const PART_SEED: Readonly<Record<Part, number>> = { content: 1, title: 2, anchor: 3 };

/**
 * 32-bit hash of a feature by its name, the same in every index, forever; ids are not, so whatever
 * must agree between a stored page and a new document hangs on this.
 */
export function featureHash(part: Part, stem: string): number {
  return hash32(stem, PART_SEED[part]);
}

/** 21 bits of a form, never 0: together with the number of its stem they fit a double. */
export function formHash(form: string): number {
  return hash32(form) >>> 11 || 1;
}
