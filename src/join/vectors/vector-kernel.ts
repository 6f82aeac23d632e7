/**
 * The SIMD kernel of lists by vectors, over one shared memory. Its source is kernels/vector-kernel.ts.
 *
 * Arguments are byte positions in the memory; nothing is allocated and nothing checked.
 */
import type { KernelMemory } from '../../sketch/page-kernel.ts';
import { VECTOR_KERNEL_BASE64 } from './vector-kernel-bytes.ts';

/** Vectors stand in whole pieces of so many bytes, the rest of them zeros. */
export const PIECE_BYTES = 16;

export interface VectorKernel {
  /** Writes to `out` the inner products (i32) of a vector with `count` vectors that stand end to end, `stride` bytes each. */
  dots(vector: number, vectors: number, stride: number, count: number, out: number): void;
}

/** Compiled once a thread: a search of some thousand pages takes not much longer than that. */
let module: object | undefined;

/** The kernel over `memory`. */
export function createVectorKernel(memory: KernelMemory): VectorKernel {
  module ??= new WebAssembly.Module(Buffer.from(VECTOR_KERNEL_BASE64, 'base64'));
  return new WebAssembly.Instance(module, { env: { memory } }).exports as VectorKernel;
}

// The type libraries of Node describe no WebAssembly: what is used of it here.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};
