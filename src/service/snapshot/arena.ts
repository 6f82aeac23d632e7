/**
 * Memory in few large pieces, for what lives as long as a generation.
 *
 * An array of its own for each block costs a thread's message a step each, and what is freed of them stays with the
 * allocator. A piece of more than 32 MiB is a mapping of its own (glibc's largest M_MMAP_THRESHOLD): it takes what is
 * written to, not what is reserved, and goes back to the system the moment it is dropped.
 */
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withThread } from '../threads/thread.ts';

/** Fills pieces, hands them over, and drops them. */
export const PIECES_WORKER = new URL(`./parts-worker${extname(import.meta.url)}`, import.meta.url);

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

/** Where an array stands: in which piece, from which byte on, its elements and the bytes of each. */
interface Place {
  readonly piece: number;
  readonly byteOffset: number;
  readonly length: number;
  readonly elementBytes: number;
}

/** A value of lists, maps and plain objects, with a place for each array in it. */
export function withPlaces(value: object, pieces: readonly ArrayBuffer[]): unknown {
  return mapped(value, (part): unknown => {
    if (!ArrayBuffer.isView(part)) return part;
    const { buffer, byteOffset, length, BYTES_PER_ELEMENT: elementBytes } = part as Uint32Array<ArrayBuffer>;
    return { piece: pieces.indexOf(buffer), byteOffset, length, elementBytes } satisfies Place;
  });
}

/** The value again, with the arrays in their places. */
export function withArrays<Value>(value: unknown, pieces: readonly ArrayBuffer[]): Value {
  return mapped(value, (part) => (isPlace(part) ? arrayAt(part, pieces) : part)) as Value;
}

function isPlace(part: unknown): part is Place {
  return typeof part === 'object' && part !== null && 'piece' in part;
}

function arrayAt({ piece, byteOffset, length, elementBytes }: Place, pieces: readonly ArrayBuffer[]) {
  const buffer = pieces[piece]!;
  if (elementBytes === 1) return Buffer.from(buffer, byteOffset, length);
  return elementBytes === 2
    ? new Uint16Array(buffer, byteOffset, length)
    : new Uint32Array(buffer, byteOffset, length);
}

function mapped(value: unknown, of: (part: unknown) => unknown): unknown {
  const part = of(value);
  if (part !== value || typeof part !== 'object' || part === null) return part;
  const within = (inner: unknown) => mapped(inner, of);
  if (Array.isArray(part)) return part.map(within);
  if (part instanceof Map) return new Map(Array.from(part, ([key, inner]) => [key, within(inner)]));
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, within(inner)]));
}

/**
 * For the collector of a thread to be through with what it does when a large piece comes: one that comes meanwhile has it work on
 * for 5 to 10 ms without a break.
 */
const COLLECTOR_MS = 50;

/** Takes pieces from another thread, one after the other. */
export async function takePieces(
  pieceCount: number,
  take: (piece: number) => Promise<ArrayBuffer>,
): Promise<ArrayBuffer[]> {
  const pieces: ArrayBuffer[] = [];
  while (pieces.length < pieceCount) {
    const piece = await take(pieces.length);
    pieces.push(piece);
    if (piece.byteLength >= PIECE_BYTES) await delay(COLLECTOR_MS);
  }
  return pieces;
}

/** All arrays in them are empty then. */
export function emptyPieces(pieces: readonly ArrayBuffer[]): void {
  for (const piece of pieces) piece.transfer(0);
}

/** Gives pieces back, as `emptyPieces`: large ones on a thread, as to unmap one holds up whoever does it for 10 ms and more. */
export async function dropPieces(pieces: readonly ArrayBuffer[]): Promise<void> {
  if (!pieces.some(({ byteLength }) => byteLength >= PIECE_BYTES)) return emptyPieces(pieces);
  const dropped = withThread(PIECES_WORKER, {}, undefined, (ask) => ask(pieces, pieces));
  await dropped.catch(() => emptyPieces(pieces));
}
