/**
 * The SIMD kernel of lists by vectors, over one shared memory. Its source is kernels/vector-kernel.ts.
 *
 * Arguments are byte positions in the memory; nothing is allocated and nothing checked.
 */
import { type KernelMemory, startKernel } from '../../lib/wasm.ts';
import { VECTOR_KERNEL_BASE64 } from './vector-kernel-bytes.ts';

/** Vectors stand in whole pieces of so many bytes, the rest of them zeros. */
export const PIECE_BYTES = 16;

export interface VectorKernel {
  /** Writes to `out` the inner products (i32) of a vector with `count` vectors that stand end to end, `stride` bytes each. */
  dots(vector: number, vectors: number, stride: number, count: number, out: number): void;
}

/** The kernel over `memory`. */
export function createVectorKernel(memory: KernelMemory): VectorKernel {
  return startKernel<VectorKernel>(VECTOR_KERNEL_BASE64, memory);
}
