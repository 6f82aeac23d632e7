/** Vectors of one length side by side, in memory that the kernel reads and threads share. */
import { createKernelMemory, type KernelMemory, MAX_KERNEL_BYTES } from '../../lib/wasm.ts';
import { cosineParts, squareOf } from './cosine.ts';
import { createVectorKernel, PIECE_BYTES, type VectorKernel } from './vector-kernel.ts';

/** Vectors that one call of the kernel meets at most: those of 384 components stay in a cache of half a megabyte. */
const RUN = 1024;
/** The kernel leaves the first bytes of its memory to itself. */
const FIRST_BYTE = 1024;

/** Vector i stands at FIRST_BYTE + i * stride. */
export interface VectorSpace {
  readonly memory: KernelMemory;
  readonly count: number;
  readonly dimensions: number;
  readonly stride: number;
  /** Float64Array(count), shared: of each vector the square of its length. */
  readonly squares: Float64Array;
  /** How many scanners have taken their room behind the vectors, shared. */
  readonly taken: Uint32Array;
}

function vectorStride(dimensions: number): number {
  return PIECE_BYTES * Math.ceil(dimensions / PIECE_BYTES);
}

/** What a space holds, in bytes. */
export function vectorSpaceBytes(count: number, dimensions: number, scannerCount = 1): number {
  return FIRST_BYTE + count * (vectorStride(dimensions) + 8) + 4 * RUN * scannerCount;
}

/** Vectors of one space at most. */
export function mostVectors(dimensions: number): number {
  return Math.floor((MAX_KERNEL_BYTES - 2 ** 20) / (vectorStride(dimensions) + 8));
}

/** Room for `count` vectors and as many scanners at once. Errors  RangeError beyond `mostVectors`, or where the system gives no memory. */
export function createVectorSpace(count: number, dimensions: number, scannerCount = 1): VectorSpace {
  const stride = vectorStride(dimensions);
  return {
    memory: createKernelMemory(FIRST_BYTE + count * stride + 4 * RUN * scannerCount),
    count,
    dimensions,
    stride,
    squares: new Float64Array(new SharedArrayBuffer(8 * count)),
    taken: new Uint32Array(new SharedArrayBuffer(4)),
  };
}

/** Puts vector `i` in its place. */
export function putVector({ memory, stride, squares }: VectorSpace, i: number, vector: Int8Array): void {
  new Int8Array(memory.buffer, FIRST_BYTE + i * stride, vector.length).set(vector);
  squares[i] = squareOf(vector);
}

/** Puts vector `i` of one space in place `to` of another one, of vectors as long. */
export function copyVector(space: VectorSpace, i: number, target: VectorSpace, to: number): void {
  const { stride } = space;
  const bytes = new Int8Array(space.memory.buffer, FIRST_BYTE + i * stride, stride);
  new Int8Array(target.memory.buffer, FIRST_BYTE + to * stride, stride).set(bytes);
  target.squares[to] = space.squares[i]!;
}

/** The cosine of two of them, in parts (cosine.ts). */
export function cosineAt({ memory, stride, squares }: VectorSpace, a: number, b: number): number {
  const bytes = new Int8Array(memory.buffer, FIRST_BYTE);
  const [startA, startB] = [a * stride, b * stride];
  let dot = 0;
  for (let i = 0; i < stride; i++) dot += bytes[startA + i]! * bytes[startB + i]!;
  return cosineParts(dot, squares[a]!, squares[b]!);
}

/** Puts vectors that stand end to end in the first places, without their squares. */
export function placeVectors({ memory, stride, dimensions }: VectorSpace, vectors: Int8Array): void {
  const bytes = new Int8Array(memory.buffer, FIRST_BYTE);
  if (stride === dimensions) bytes.set(vectors);
  else
    for (let from = 0, to = 0; from < vectors.length; from += dimensions, to += stride)
      bytes.set(vectors.subarray(from, from + dimensions), to);
}

/** Tells of a vector the inner products with others. One serves a thread. */
export class VectorScanner {
  /** What `scan` found, Int32Array. */
  readonly dots: Int32Array;
  readonly #kernel: VectorKernel;
  readonly #stride: number;
  readonly #out: number;

  constructor({ memory, count, stride, taken }: VectorSpace) {
    this.#kernel = createVectorKernel(memory);
    this.#stride = stride;
    this.#out = FIRST_BYTE + count * stride + 4 * RUN * Atomics.add(taken, 0, 1);
    this.dots = new Int32Array(memory.buffer, this.#out, RUN);
  }

  /** Products of vector `i` with those from .. to - 1, RUN of them at most, in `dots`. */
  scan(i: number, from: number, to: number): void {
    const place = (vector: number) => FIRST_BYTE + vector * this.#stride;
    this.#kernel.dots(place(i), place(from), this.#stride, to - from, this.#out);
  }
}

/** Calls with each run of the vectors of a space. */
export function forEachRun(count: number, take: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += RUN) take(from, Math.min(count, from + RUN));
}
