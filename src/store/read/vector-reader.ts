import type { OwnVectors } from '../../features/vectors.ts';
import { MEANING } from '../../relations/meaning.ts';
import { decodeAscending } from '../blobs/blobs.ts';
import type { IndexFile } from '../index-file.ts';
import { rowShape } from '../stored-values.ts';
import { readRelations } from './card.ts';

/** Pages of one block of `vector_block`. */
export const VECTOR_BLOCK_PAGES = 256;

interface BlockRow {
  readonly blockId: number;
  readonly pages: Uint8Array;
  readonly vectors: Uint8Array;
}

/** The vectors of one name of the pages of a block. */
export interface VectorBlock {
  readonly blockId: number;
  /** Ascending. */
  readonly pages: Uint32Array;
  /** Those of the pages end to end. */
  readonly vectors: Int8Array;
  readonly dimensions: number;
}

const BLOCK_ROW = rowShape<BlockRow>('vector_block', {
  blockId: 'count',
  pages: 'bytes',
  vectors: 'bytes',
});
const ONE_BLOCK = 'WHERE relation_id = ? AND block_id = ?';

/** The vectors of the pages of one open index. */
export class VectorReader {
  /** Name to id of its relation. */
  readonly relations: ReadonlyMap<string, number>;
  readonly #file: IndexFile;
  /** Read last, of each relation: pages are asked for in order, as a rule. */
  readonly #last = new Map<number, VectorBlock>();

  constructor(file: IndexFile) {
    this.#file = file;
    const rows = readRelations(file).filter(({ name }) => name === MEANING.name);
    this.relations = new Map(rows.map(({ id, profile }) => [profile, id]));
  }

  /** Without a component where the page has none. */
  get(relationId: number, pageId: number): Int8Array {
    const blockId = Math.floor(pageId / VECTOR_BLOCK_PAGES);
    let block = this.#last.get(relationId);
    if (block?.blockId !== blockId) {
      const row = this.#file.get(BLOCK_ROW, ONE_BLOCK, relationId, blockId);
      if (row === undefined) return NO_VECTOR;
      this.#last.set(relationId, (block = this.#block(row)));
    }
    const { pages, vectors, dimensions } = block;
    const at = pages.indexOf(pageId);
    return at < 0 ? NO_VECTOR : vectors.subarray(at * dimensions, (at + 1) * dimensions);
  }

  /** All vectors of a page. */
  ofPage(pageId: number): OwnVectors {
    const all = Array.from(this.relations, ([name, id]) => [name, this.get(id, pageId)] as const);
    return Object.fromEntries(all.filter(([, vector]) => vector.length > 0));
  }

  /** In the order of pages; with `dimensions` those of vectors of this length alone. */
  *blocks(relationId: number, dimensions?: number): IterableIterator<VectorBlock> {
    for (const row of this.#file.rows(BLOCK_ROW, 'WHERE relation_id = ? ORDER BY block_id', relationId)) {
      const block = this.#block(row);
      if (dimensions === undefined || block.dimensions === dimensions) yield block;
    }
  }

  /** Errors  CorruptError for a block that no build writes. */
  #block({ blockId, pages: packed, vectors: bytes }: BlockRow): VectorBlock {
    const pages = decodeAscending(packed);
    const dimensions = bytes.length / pages.length;
    const first = blockId * VECTOR_BLOCK_PAGES;
    const end = Math.min(first + VECTOR_BLOCK_PAGES, this.#file.ownPageCount);
    const isOfBlock = pages.every((page, i) => page >= (i === 0 ? first : pages[i - 1]! + 1) && page < end);
    if (pages.length === 0 || !Number.isInteger(dimensions) || dimensions === 0 || !isOfBlock)
      throw this.#file.corrupt(`block ${blockId} of vectors is not what a build writes`);
    return {
      blockId,
      pages,
      vectors: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
      dimensions,
    };
  }
}

const NO_VECTOR = new Int8Array(0);
