import type { SearchReader } from '../read/search/search-reader.ts';

/** What a new index can take from another one, whose rows are what was written. */
export interface FormerRows {
  /** Null where it has no search that can be taken. */
  readonly search: { readonly search: SearchReader; readonly pageCount: number } | null;
  /** What a block of texts is packed to, where it has one of the same bytes; else null. */
  readonly packedAs: (block: Uint8Array) => Uint8Array | null;
}
