const BLOCK_OFFERS = 65_536;

/** Neighbors to be offered later, 12 bytes each, in blocks: however many come, none is moved. */
export class OfferList {
  readonly #blocks: { readonly ids: Uint32Array; readonly similarities: Float32Array }[] = [];
  #last = BLOCK_OFFERS;

  push(page: number, id: number, similarity: number): void {
    if (this.#last === BLOCK_OFFERS) {
      this.#blocks.push({
        ids: new Uint32Array(2 * BLOCK_OFFERS),
        similarities: new Float32Array(BLOCK_OFFERS),
      });
      this.#last = 0;
    }
    const { ids, similarities } = this.#blocks.at(-1)!;
    ids[2 * this.#last] = page;
    ids[2 * this.#last + 1] = id;
    similarities[this.#last++] = similarity;
  }

  /** In the order of arrival. */
  forEach(visit: (page: number, id: number, similarity: number) => void): void {
    for (const [b, { ids, similarities }] of this.#blocks.entries()) {
      const size = b === this.#blocks.length - 1 ? this.#last : BLOCK_OFFERS;
      for (let i = 0; i < size; i++) visit(ids[2 * i]!, ids[2 * i + 1]!, similarities[i]!);
    }
  }
}
