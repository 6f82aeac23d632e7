/** Which names of vectors a fold will find, and how long those of each are: it leaves out what does not go with them. */
import { unpackVectors } from '../../features/vectors.ts';
import { foundVectors, MAX_VECTOR_NAMES } from '../../relations/meaning.ts';
import type { IndexFacts } from '../reads/facts.ts';
import type { Segment } from '../reads/live/segment.ts';

export class VectorNames {
  /** Of the index and of what is written with this. */
  readonly #lengths: Map<string, number>;
  readonly #segment: Segment;

  constructor({ card }: IndexFacts, segment: Segment) {
    this.#lengths = new Map(
      foundVectors(card.parameters).map(({ name, dimensions }) => [name, dimensions] as const),
    );
    this.#segment = segment;
  }

  /** What is wrong with the vectors of a page beside all others; null where nothing is, and they count from now on. */
  faultOf(url: string, packed: string): string | null {
    const given = Object.entries(unpackVectors(packed));
    if (given.length === 0) return null;
    const { vectors } = this.#segment;
    const page = this.#segment.find(url)?.id ?? -1;
    const waiting = vectors.lengthsBut(page);
    const names = new Set([...this.#lengths.keys(), ...waiting.keys()]);
    for (const [name, { length }] of given) {
      const known = this.#lengths.get(name) ?? waiting.get(name) ?? length;
      if (length !== known)
        return `vectors.${name}: has ${length} components, those of the index and of what waits for it have ${known}`;
      if (names.add(name).size > MAX_VECTOR_NAMES)
        return `vectors.${name}: the index and what waits for it have ${MAX_VECTOR_NAMES} names already`;
    }
    for (const [name, { length }] of given) this.#lengths.set(name, length);
    return null;
  }
}
