/** Where the entries of bags are read from: arrays in memory, or whatever reads them from elsewhere into arrays. */
export interface EntrySource {
  /** Uint32Array, and Uint8Array with a weight for each; they may be others after a call of locate(). */
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
  /** Whether all entries are in the arrays, each at its own position. */
  readonly isInMemory: boolean;
  /** Times that entries were read from elsewhere. */
  readonly readCount: number;
  /** Position of entry `from` in the arrays, with the entries up to `to` behind it; true until the next call. */
  locate(from: number, to: number): number;
}

export class EntriesInMemory implements EntrySource {
  readonly isInMemory = true;
  readonly readCount = 0;
  readonly features: Uint32Array;
  readonly weights: Uint8Array;

  constructor({ features, weights }: Pick<EntrySource, 'features' | 'weights'>) {
    this.features = features;
    this.weights = weights;
  }

  locate(from: number): number {
    return from;
  }
}
