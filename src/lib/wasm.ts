/**
 * Starts kernels: WebAssembly that is compiled from kernels/ and stands as base64 beside its caller, in whose memory it works.
 */
import { keptIn } from './kept.ts';

/** A memory of 32-bit addresses. */
export const MAX_KERNEL_BYTES = 2 ** 32 - 2 ** 16;

const PAGE_BYTES = 65_536;

/** What threads share: it can be posted to them. */
export interface KernelMemory {
  readonly buffer: SharedArrayBuffer;
}

/** The memory of one thread. */
interface OwnMemory {
  readonly buffer: ArrayBuffer;
}

/** @throws RangeError where the system does not give the memory or `sizeBytes` exceeds MAX_KERNEL_BYTES. */
export function createKernelMemory(sizeBytes: number): KernelMemory {
  const pages = Math.ceil(sizeBytes / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** @throws as above. */
export function createOwnMemory(sizeBytes: number): OwnMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(sizeBytes / PAGE_BYTES) });
}

/** Makes it larger, by a quarter where there is room; arrays on it are empty then. @throws as above. */
export function growMemory(memory: OwnMemory, sizeBytes: number): void {
  if (sizeBytes > MAX_KERNEL_BYTES) {
    const gib = (sizeBytes / 2 ** 30).toFixed(1);
    throw new RangeError(`too long: to read it needs ${gib} GiB at once, and 4 GiB is the most`);
  }
  const { byteLength } = memory.buffer;
  const wantedBytes = Math.min(MAX_KERNEL_BYTES, Math.max(sizeBytes, 1.25 * byteLength));
  const pages = Math.ceil((wantedBytes - byteLength) / PAGE_BYTES);
  (memory as InstanceType<typeof WebAssembly.Memory>).grow(pages);
}

/** By their base64: compiled once a thread. */
const modules = new Map<string, object>();

/** @param functions that the kernel calls, by the names of its files. */
export function startKernel<Exports>(
  base64: string,
  memory: KernelMemory | OwnMemory,
  functions: Readonly<Record<string, object>> = {},
): Exports {
  const module = keptIn(modules, base64, () => new WebAssembly.Module(Buffer.from(base64, 'base64')));
  return new WebAssembly.Instance(module, { env: { memory }, ...functions }).exports as Exports;
}

// The type libraries of Node describe no WebAssembly: what is used of it here.
declare const WebAssembly: {
  readonly Memory: new (shape: {
    initial: number;
    maximum?: number;
    shared?: true;
    // biome-ignore lint/suspicious/noExplicitAny: of either kind, as `shared` says
  }) => { readonly buffer: any; grow(pages: number): number };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};
