/**
 * Texts of versions in blocks, in the order of their ids: what pages of a site share is packed once. On a crawl a text takes
 * 660 bytes in blocks of some 128 KB with the rest of their last page in the file, 830 in blocks of 64 KB, and some 1,900 alone; a block
 * of 64 KB is unpacked in .1 ms, of 128 KB in .14.
 *
 *     version_text.texts   zstd of: number of texts (varint), bytes of each (varint), the texts as `PlainText` makes them
 */
import { Bytes } from './search-blobs.ts';
import { brokenBlob, VarintReader } from './varint.ts';
import { zstdPack, zstdUnpack } from './zstd.ts';

/** A block that has so many bytes ends behind the next text whose size is a multiple of `END_SIZES`: one is unpacked in .14 ms. */
const LEAST_BYTES = 112 << 10;
/** Where a block ends depends on its texts: behind a change, most blocks are soon those that they were. */
const END_SIZES = 4;
/** It ends here in any case. */
const MOST_BYTES = 256 << 10;

/** A block that is filled. */
export class TextBlock {
  readonly #sizes: number[] = [];
  readonly #texts = new Bytes();
  readonly #block = new Bytes();

  get count(): number {
    return this.#sizes.length;
  }

  get isFull(): boolean {
    const { length } = this.#texts;
    return length >= LEAST_BYTES && (this.#sizes.at(-1)! % END_SIZES === 0 || length >= MOST_BYTES);
  }

  add(text: Uint8Array): void {
    this.#sizes.push(text.length);
    this.#texts.append(text);
  }

  /** Empties it. `packedAs`: what a block is packed to, where that is known. */
  pack(packedAs: (block: Uint8Array) => Uint8Array | null = () => null): Uint8Array {
    const block = this.#block;
    block.length = 0;
    block.varint(this.#sizes.length);
    for (const size of this.#sizes) block.varint(size);
    block.append(this.#texts.view());
    this.#sizes.length = 0;
    this.#texts.length = 0;
    return packedAs(block.view()) ?? zstdPack(block.view());
  }
}

/** The texts of a block. Errors  CorruptError. */
export function readTextBlock(blob: Uint8Array): Uint8Array[] {
  let block: Uint8Array;
  try {
    block = zstdUnpack(blob);
  } catch {
    throw brokenBlob('text');
  }
  const from = new VarintReader(block);
  const count = from.next();
  if (count > block.length) throw brokenBlob('text');
  const sizes = Array.from({ length: count }, () => from.next());
  let { at } = from;
  const texts = sizes.map((size) => block.subarray(at, (at += size)));
  if (at !== block.length) throw brokenBlob('text');
  return texts;
}
