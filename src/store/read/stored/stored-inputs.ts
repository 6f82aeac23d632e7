import { INPUT_BLOCK_PAGES } from '../../blobs/page-input.ts';
import { readTextBlock } from '../../blobs/text-blocks.ts';
import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';

const BLOCK_ROW = rowShape<{ blockId: number; records: Uint8Array }>('page_input', {
  blockId: 'count',
  records: 'bytes',
});

/** What pages say besides their texts, as `decodePageInput` reads it. Memory  the last block read. */
export class StoredInputs {
  readonly #file: IndexFile;
  #heldId = -1;
  #held: readonly Uint8Array[] = [];

  constructor(file: IndexFile) {
    this.#file = file;
  }

  /** Null for a page that is not there. Cost  10 us where the page before was of another block. */
  get(pageId: number): Uint8Array | null {
    const blockId = Math.floor(pageId / INPUT_BLOCK_PAGES);
    if (blockId !== this.#heldId) {
      const row = this.#file.get(BLOCK_ROW, 'WHERE block_id = ?', blockId);
      this.#held = row === undefined ? [] : this.#recordsOf(row);
      this.#heldId = blockId;
    }
    const record = this.#held[pageId % INPUT_BLOCK_PAGES];
    return record === undefined || record.length === 0 ? null : record;
  }

  /** Of all pages that are there, in id order. */
  *all(): IterableIterator<{ readonly pageId: number; readonly record: Uint8Array }> {
    for (const row of this.#file.rows(BLOCK_ROW, 'ORDER BY block_id')) {
      for (const [place, record] of this.#recordsOf(row).entries()) {
        if (record.length > 0) yield { pageId: row.blockId * INPUT_BLOCK_PAGES + place, record };
      }
    }
  }

  #recordsOf({ blockId, records }: { blockId: number; records: Uint8Array }): Uint8Array[] {
    return this.#file.decode(`block ${blockId} of page_input`, () => readTextBlock(records));
  }
}
