import type { Bag } from '../../../features/bag.ts';
import type { IndexReader } from '../reader.ts';

const NO_BAG = { features: new Uint32Array(0), weights: new Uint8Array(0) };

/** All bags of a relation in memory, 5 bytes an entry, to compare one page with many. */
export class StoredBags {
  readonly sums: Uint16Array;
  readonly #features: Uint32Array[] = [];
  readonly #weights: Uint8Array[] = [];
  readonly #weightOf: Uint8Array;
  #spread = -1;

  constructor(reader: IndexReader, relationId: number) {
    let featureCount = 0;
    for (const { pageId, bag } of reader.allBags(relationId)) {
      this.#features[pageId] = bag.features;
      this.#weights[pageId] = bag.weights;
      featureCount = Math.max(featureCount, (bag.features.at(-1) ?? -1) + 1);
    }
    this.sums = reader.bagSums(relationId);
    this.#weightOf = new Uint8Array(featureCount);
  }

  of(page: number): Bag {
    const features = this.#features[page] ?? NO_BAG.features;
    return { features, weights: this.#weights[page] ?? NO_BAG.weights, sum: this.sums[page] ?? 0 };
  }

  /** Sum of the lesser weights. Cheap while `page` stays the same from call to call. */
  overlap(page: number, other: number): number {
    if (this.#spread !== page) {
      this.#scatter(this.#spread, false);
      this.#scatter(page, true);
      this.#spread = page;
    }
    const features = this.#features[other] ?? [];
    let overlap = 0;
    for (let i = 0; i < features.length; i++) {
      overlap += Math.min(this.#weightOf[features[i]!]!, this.#weights[other]![i]!);
    }
    return overlap;
  }

  #scatter(page: number, on: boolean): void {
    const features = this.#features[page] ?? [];
    for (let i = 0; i < features.length; i++)
      this.#weightOf[features[i]!] = on ? this.#weights[page]![i]! : 0;
  }
}
