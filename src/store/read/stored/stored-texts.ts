import { readTextBlock } from '../../blobs/text-blocks.ts';
import { unpackedBytes, zstdUnpack } from '../../blobs/zstd.ts';
import type { IndexFile } from '../../index-file.ts';
import { rowShape } from '../../stored-values.ts';

const BLOCK_ROW = rowShape<{ firstVersionId: number; texts: Uint8Array }>('version_text', {
  firstVersionId: 'count',
  texts: 'bytes',
});
const BLOCK_OF = 'WHERE first_version_id <= ? ORDER BY first_version_id DESC LIMIT 1';
const HEADS_SQL = 'SELECT first_version_id, substr(texts, 1, 16) FROM version_text';
/** Blocks that stay unpacked: pages of a site, which are read together, lie in few of them. */
const HELD_BLOCKS = 8;

/** Texts of versions by their ids. Memory  the last blocks read, 1 MB as a rule. */
export class StoredTexts {
  readonly #file: IndexFile;
  readonly #isEmpty: boolean;
  #blocksOfSize: Map<number | null, [firstVersionId: number, head: Uint8Array][]> | undefined;
  readonly #held = new Map<number, readonly Uint8Array[]>();

  constructor(file: IndexFile) {
    this.#file = file;
    this.#isEmpty = file.rowCount('version_text') === 0;
  }

  /** What the file has packed a block to that has the same bytes; null where it has none. */
  packedAs(block: Uint8Array): Uint8Array | null {
    this.#blocksOfSize ??= Map.groupBy(
      this.#file.tuples<[firstVersionId: number, head: Uint8Array]>(HEADS_SQL),
      ([, head]) => unpackedBytes(head),
    );
    for (const [firstVersionId] of this.#blocksOfSize.get(block.length) ?? []) {
      const row = this.#file.get(BLOCK_ROW, 'WHERE first_version_id = ?', firstVersionId);
      if (row !== undefined && isPackedAs(block, row.texts)) return row.texts;
    }
    return null;
  }

  /** As `decodeText` reads it; null where there is none. */
  get(versionId: number): Uint8Array | null {
    if (this.#isEmpty) return null;
    for (const [firstId, texts] of this.#held) {
      const text = texts[versionId - firstId];
      if (text !== undefined) return text;
    }
    const row = this.#file.get(BLOCK_ROW, BLOCK_OF, versionId);
    if (row === undefined) return null;
    const texts = readTextBlock(row.texts);
    if (this.#held.size === HELD_BLOCKS) this.#held.delete(this.#held.keys().next().value!);
    this.#held.set(row.firstVersionId, texts);
    return texts[versionId - row.firstVersionId] ?? null;
  }
}

function isPackedAs(block: Uint8Array, packed: Uint8Array): boolean {
  try {
    return Buffer.compare(zstdUnpack(packed), block) === 0;
  } catch {
    return false;
  }
}
