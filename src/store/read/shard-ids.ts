import { firstNotBelow, placeAmong } from '../../lib/sorted.ts';
import type { IndexFile } from '../index-file.ts';

/** Which of its pages a shard means by the ids of the whole index, and back. Memory  4 bytes a page of the file. */
export class ShardIds {
  /** Of the pages of the file: its own first, then those of other shards, each part ascending. */
  readonly wholeIds: Uint32Array;
  readonly #ownPageCount: number;

  constructor(file: IndexFile) {
    this.#ownPageCount = file.ownPageCount;
    this.wholeIds = new Uint32Array(file.pageCount);
    const rows = file.tuples<[number, number]>('SELECT page_id, whole_id FROM shard_page ORDER BY page_id');
    let next = 0;
    for (const [pageId, wholeId] of rows) {
      if (pageId !== next++) throw file.corrupt(`page ${next - 1} of a shard has no whole id`);
      this.wholeIds[pageId] = wholeId;
    }
    if (next !== file.pageCount) throw file.corrupt(`page ${next} of a shard has no whole id`);
  }

  /** Page id by whole id; -1 where the file does not have the page. */
  find(wholeId: number): number {
    const own = this.findOwn(wholeId);
    return own >= 0 ? own : placeAmong(this.wholeIds, wholeId, this.#ownPageCount);
  }

  /** Own page by whole id; -1 where it is none. */
  findOwn(wholeId: number): number {
    return placeAmong(this.wholeIds, wholeId, 0, this.#ownPageCount);
  }

  /** The first own page whose whole id is not less; the number of own pages where there is none. */
  ownFrom(wholeId: number): number {
    return firstNotBelow(this.wholeIds, wholeId, 0, this.#ownPageCount);
  }
}
