/**
 * Memory in few large pieces, for what lives as long as a generation.
 *
 * An array of its own for each block costs a thread's message a step each, and what is freed of them stays with the
 * allocator. A piece of more than 32 MiB is a mapping of its own (glibc's largest M_MMAP_THRESHOLD): it takes what is
 * written to, not what is reserved, and goes back to the system the moment it is dropped.
 */
import { extname } from 'node:path';
import { Thread } from '../threads/thread.ts';

const WORKER = new URL(`./drop-worker${extname(import.meta.url)}`, import.meta.url);

const PIECE_BYTES = 64 * 2 ** 20;
const ALIGNMENT = 4;

export class Arena {
  readonly pieces: ArrayBuffer[] = [];
  readonly #pieceBytes: number;
  #used = Number.POSITIVE_INFINITY;

  /** A small one reserves nothing: every array is its own piece. */
  constructor(isSmall: boolean) {
    this.#pieceBytes = isSmall ? 0 : PIECE_BYTES;
  }

  /** Zeros, as all below. */
  bytes(length: number): Buffer<ArrayBuffer> {
    return Buffer.from(...this.#reserve(length), length);
  }

  uint16(length: number): Uint16Array<ArrayBuffer> {
    return new Uint16Array(...this.#reserve(2 * length), length);
  }

  uint32(length: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(...this.#reserve(4 * length), length);
  }

  #reserve(byteLength: number): [buffer: ArrayBuffer, byteOffset: number] {
    let piece = this.pieces.at(-1);
    if (piece === undefined || this.#used + byteLength > piece.byteLength) {
      piece = new ArrayBuffer(Math.max(byteLength, this.#pieceBytes));
      this.pieces.push(piece);
      this.#used = 0;
    }
    const byteOffset = this.#used;
    this.#used += Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT;
    return [piece, byteOffset];
  }
}

/**
 * Gives pieces back: all arrays in them are empty then. Large ones on a thread, as to unmap one holds up whoever does it for
 * 10 ms and more.
 */
export async function dropPieces(pieces: readonly ArrayBuffer[]): Promise<void> {
  const drop = () => {
    for (const piece of pieces) piece.transfer(0);
  };
  if (!pieces.some(({ byteLength }) => byteLength >= PIECE_BYTES)) return drop();
  const thread = new Thread<readonly ArrayBuffer[], void>(WORKER, {});
  await thread.run(pieces, pieces).catch(drop);
  thread.end(new Error('its one job is done'));
}
