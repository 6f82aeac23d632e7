import type { Insert } from './table-writer.ts';

/** Numbers what bodies are, as captures come by; one writer has all captures of a file. */
export class EncodingWriter {
  readonly #insert: Insert;
  readonly #ids = new Map<string, number>();

  constructor(insert: Insert) {
    this.#insert = insert;
  }

  idOf(mediaType: string, charset: string): number {
    const name = `${mediaType} ${charset}`;
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(name, id);
    this.#insert('encoding', id, mediaType, charset);
    return id;
  }
}
