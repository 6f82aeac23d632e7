/**
 * Regular files of a tar stream, one at a time. Long names of both kinds: ustar's prefix, and GNU's `L`
 * entries; pax records give the path alone.
 */

const BLOCK = 512;

export interface TarFile {
  readonly path: string;
  readonly body: Buffer;
}

export async function* tarFiles(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const blocks = new BlockReader(stream);
  let longName: string | null = null;
  for (;;) {
    const header = await blocks.take(BLOCK);
    if (header.length < BLOCK || header[0] === 0) return;
    const size = Number.parseInt(text(header, 124, 12), 8) || 0;
    const body = (await blocks.take(Math.ceil(size / BLOCK) * BLOCK)).subarray(0, size);
    if (body.length < size) throw new Error(`the archive ends inside ${text(header, 0, 100)}`);
    const type = String.fromCharCode(header[156]!);
    if (type === 'L') longName = text(body, 0, size);
    else if (type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)/.exec(body.toString())?.[1] ?? longName;
    else {
      if (type === '0' || type === '\0') yield { path: longName ?? headerPath(header), body };
      longName = null;
    }
  }
}

function headerPath(header: Buffer): string {
  // GNU's own format keeps other things where ustar keeps the prefix.
  const prefix = text(header, 257, 8).startsWith('ustar ') ? '' : text(header, 345, 155);
  return prefix === '' ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
}

function text(bytes: Buffer, start: number, length: number): string {
  const field = bytes.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

class BlockReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes; fewer only where the stream ends. */
  async take(byteCount: number): Promise<Buffer> {
    while (this.#heldBytes < byteCount) {
      const { done, value } = await this.#chunks.next();
      if (done === true) break;
      this.#held.push(value);
      this.#heldBytes += value.length;
    }
    const all =
      this.#held.length === 1
        ? Buffer.from(this.#held[0]!.buffer, this.#held[0]!.byteOffset, this.#held[0]!.length)
        : Buffer.concat(this.#held);
    const taken = all.subarray(0, byteCount);
    const rest = all.subarray(taken.length);
    this.#held = rest.length === 0 ? [] : [rest];
    this.#heldBytes = rest.length;
    return taken;
  }
}
