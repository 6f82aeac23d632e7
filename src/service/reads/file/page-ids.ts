import type { IndexReader } from '../../../store/read/reader.ts';

/** By which ids the pages of a file are asked and named; a place is the id in the file. */
export interface PageIds {
  idOf(place: number): number;
  idsOf(places: Uint32Array): Uint32Array;
  /** -1 for a page that the file has not, or merely names. */
  ownPlace(id: number): number;
  /** Place of the first own page with this id or a greater one. */
  ownFrom(id: number): number;
  /** -1 for a page that it does not know. */
  place(id: number): number;
}

/** Those of the file. */
export const OWN_IDS: PageIds = {
  idOf: (place) => place,
  idsOf: (places) => places,
  ownPlace: (id) => id,
  ownFrom: (id) => id,
  place: (id) => id,
};

/** Of a shard, those of the index that was split. */
export function wholeIds({ shardIds }: IndexReader): PageIds {
  const idOf = (place: number) => shardIds.wholeIds[place]!;
  return {
    idOf,
    idsOf: (places) => places.map(idOf),
    ownPlace: (id) => shardIds.findOwn(id),
    ownFrom: (id) => shardIds.ownFrom(id),
    place: (id) => shardIds.find(id),
  };
}
