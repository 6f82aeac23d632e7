/** Numbers what bodies are, as captures come by; one writer has all captures of a file. */
export class EncodingWriter {
  readonly #insert: (table: string, ...values: unknown[]) => void;
  readonly #ids = new Map<string, number>();

  constructor(insert: (table: string, ...values: unknown[]) => void) {
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
