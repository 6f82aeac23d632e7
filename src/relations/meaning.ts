import type { StoredRelation } from './relation.ts';

/**
 * The relation "means the same", as far as the vectors say that pages' owner gave (features/vectors.ts): cosine of two vectors
 * of one name. Each name has a row of its own in an index, with lists of its own; its profile is the name.
 */
export const MEANING = {
  name: 'meaning',
  plainName: 'meaning',
  id: 4,
  features: 'vectors',
  neighbors: 'nearest vectors',
  similarity:
    'cosine of the vectors that their owner gave both, of one name, each component rounded to one of 255 steps; 0 where it is negative',
  clusters: 'none',
} as const satisfies StoredRelation;

/** Names of vectors in one index at most: those that most pages have. */
export const MAX_VECTOR_NAMES = 8;

/** Neighbors kept a page. */
export const MEANING_NEIGHBOR_LIMIT = 32;

/** What an index says of the vectors of one name, under the parameter `vectors`. */
export interface FoundVectors {
  readonly name: string;
  readonly dimensions: number;
  /** Pages that have one. */
  readonly page_count: number;
  /** Pages whose vector has another length, and is left out. */
  readonly other_length_count: number;
  /** What a similarity is off at most, as components are rounded. */
  readonly error_bound: number;
  /** Whether all pairs were compared, or those of near cells; and the recall@10 that was measured of these lists. */
  readonly method: 'exact' | 'cells';
  readonly recall: number;
  readonly recall_low: number;
  readonly recall_high: number;
  readonly sample_count: number;
}

/** By which vectors, and how, lists by words go too; under the parameter `blend` of an index whose lists do. */
export interface FoundBlend {
  /** Their name. */
  readonly vectors: string;
  /** l and kappa, see join/vectors/blend.ts. */
  readonly share: number;
  readonly scale: number;
  /** Pages that have such a vector; 0 where none has one any more. */
  readonly page_count: number;
}

/** That of an index; null where its lists by words go by words alone. */
export function foundBlend(parameters: Readonly<Record<string, unknown>>): FoundBlend | null {
  const blend = parameters['blend'] as FoundBlend | undefined;
  return blend === undefined || blend.page_count === 0 ? null : blend;
}

/** Those of an index, in the order of its rows. */
export function foundVectors(parameters: Readonly<Record<string, unknown>>): readonly FoundVectors[] {
  return (parameters['vectors'] as readonly FoundVectors[] | undefined) ?? [];
}

/** Which of them lists by words go by, too: those of a name, for '' those that most pages have; -1 for none. */
export function chosenVectors(found: readonly FoundVectors[], name: string): number {
  if (name !== '') return found.findIndex((one) => one.name === name);
  const most = found.toSorted((a, b) => b.page_count - a.page_count)[0];
  return most === undefined ? -1 : found.indexOf(most);
}
