import { INPUT_BLOCK_PAGES } from '../blobs/page-input.ts';
import { TextBlock } from '../blobs/text-blocks.ts';

const NOTHING = new Uint8Array(0);

/** Packs what the pages of a block say besides their texts: those of a site have most links in common. */
export class InputBlocks {
  readonly #insert: (table: 'page_input', blockId: number, records: Uint8Array) => void;
  readonly #records = new TextBlock();
  #block = 0;

  constructor(insert: (table: 'page_input', blockId: number, records: Uint8Array) => void) {
    this.#insert = insert;
  }

  /** Pages come in id order. */
  add(pageId: number, record: Uint8Array): void {
    const block = Math.floor(pageId / INPUT_BLOCK_PAGES);
    if (block !== this.#block) this.finish();
    this.#block = block;
    while (this.#records.count < pageId % INPUT_BLOCK_PAGES) this.#records.add(NOTHING);
    this.#records.add(record);
  }

  /** Writes the block that is begun. */
  finish(): void {
    if (this.#records.count > 0) this.#insert('page_input', this.#block, this.#records.pack());
  }
}
