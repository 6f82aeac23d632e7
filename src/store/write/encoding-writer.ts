import { keptIn } from '../../lib/kept.ts';
import type { Insert } from './table-writer.ts';

/** Numbers what bodies are, as captures come by; one writer has all captures of a file. */
export class EncodingWriter {
  readonly #insert: Insert;
  readonly #ids = new Map<string, number>();

  constructor(insert: Insert) {
    this.#insert = insert;
  }

  idOf(mediaType: string, charset: string): number {
    return keptIn(this.#ids, `${mediaType} ${charset}`, () => {
      const id = this.#ids.size;
      this.#insert('encoding', id, mediaType, charset);
      return id;
    });
  }
}
