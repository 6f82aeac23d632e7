import { readTextBlock } from '../blobs/text-blocks.ts';
import type { IndexFile } from '../index-file.ts';
import { rowShape } from '../stored-values.ts';

const BLOCK_ROW = rowShape<{ firstVersionId: number; texts: Uint8Array }>('version_text', {
  firstVersionId: 'count',
  texts: 'bytes',
});
const BLOCK_OF = 'WHERE first_version_id <= ? ORDER BY first_version_id DESC LIMIT 1';
/** Blocks that stay unpacked: pages of a site, which are read together, lie in few of them. */
const HELD_BLOCKS = 8;

/** Texts of versions by their ids. Memory  the last blocks read, 1 MB as a rule. */
export class StoredTexts {
  readonly #file: IndexFile;
  readonly #isEmpty: boolean;
  readonly #held = new Map<number, readonly Uint8Array[]>();

  constructor(file: IndexFile) {
    this.#file = file;
    this.#isEmpty = file.rowCount('version_text') === 0;
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
