/**
 * Bytes to a zstd frame and back, with one context a direction that lives as long as the thread.
 *
 * `zlib.zstdCompressSync` makes a stream and a context for each call, which takes as long as to pack the text of a page,
 * and unpacking that takes three times as long. The handle of a stream can do one frame after the other at once
 * (`_handle.writeSync`, which other packages use as well). Where a version of Node has no such handle, or something
 * is unusual, the public functions do the work: the bytes are the same.
 */
import zlib, { constants } from 'node:zlib';

/** Two above the usual one: texts in blocks are 5 % smaller so, and take 160 us for 80 to be packed. */
const LEVEL = 5;
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } };
const MAGIC = 0xfd2fb528;
/** So that a whole frame leaves some of its room: a full one could have more to come. */
const SPARE_BYTES = 64;
/** A damaged frame may claim any size. */
const MOST_BYTES = 1 << 26;
/** Above it the room of a call is not kept. */
const KEPT_ROOM_BYTES = 1 << 20;

/** What zstd makes of so many bytes at most, and what it has least. */
const boundOf = (sizeBytes: number) => sizeBytes + (sizeBytes >> 8) + SPARE_BYTES;

/** What is used of a stream of `node:zlib`. */
interface Context {
  readonly _handle?: {
    writeSync?(
      flush: number,
      from: Uint8Array,
      fromAt: number,
      fromBytes: number,
      to: Uint8Array,
      toAt: number,
      toBytes: number,
    ): void;
  } | null;
  /** How many bytes of `to` and of `from` are left. */
  readonly _writeState?: Uint32Array;
}

let packing: Context | null = null;
let unpacking: Context | null = null;
let room = new Uint8Array(1 << 16);

/** One frame, in an array of its own. */
export function zstdPack(bytes: Uint8Array): Uint8Array {
  const bound = boundOf(bytes.length);
  const to = bound <= room.length ? room : new Uint8Array(bound);
  if (bound <= KEPT_ROOM_BYTES) room = to;
  packing ??= contextOf(zlib.createZstdCompress(PACKING));
  const sizeBytes = run(packing, bytes, to);
  if (sizeBytes > 0) return to.slice(0, sizeBytes);
  packing = null;
  return zlib.zstdCompressSync(bytes, { ...PACKING, chunkSize: bound });
}

/** Errors  what zlib throws for bytes that are no whole frame. */
export function zstdUnpack(frame: Uint8Array): Buffer {
  const sizeBytes = unpackedBytes(frame);
  if (sizeBytes !== null) {
    const to = Buffer.allocUnsafe(sizeBytes + SPARE_BYTES);
    unpacking ??= contextOf(zlib.createZstdDecompress());
    if (run(unpacking, frame, to) === sizeBytes) return to.subarray(0, sizeBytes);
    unpacking = null;
  }
  return zlib.zstdDecompressSync(frame);
}

function contextOf(
  stream: ReturnType<typeof zlib.createZstdCompress | typeof zlib.createZstdDecompress>,
): Context {
  // Bytes that are no frame end the stream; the public function is what says so.
  stream.on('error', () => {});
  return stream as unknown as Context;
}

/** Bytes written; -1 where they are not all of one whole frame. */
function run({ _handle: handle, _writeState: state }: Context, from: Uint8Array, to: Uint8Array): number {
  if (typeof handle?.writeSync !== 'function' || state === undefined) return -1;
  state.fill(0);
  handle.writeSync(constants.ZSTD_e_end, from, 0, from.length, to, 0, to.length);
  const [toLeft, fromLeft] = state;
  return toLeft === 0 || fromLeft !== 0 ? -1 : to.length - toLeft!;
}

/** What the head of a frame says of the size of its content; null where it does not, or that is more than a text can have. */
export function unpackedBytes(frame: Uint8Array): number | null {
  if (frame.length < 9) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  if (view.getUint32(0, true) !== MAGIC) return null;
  const descriptor = frame[4]!;
  const isSingle = (descriptor & 0x20) !== 0;
  // With a dictionary, or a size of 8 bytes: never ours.
  if ((descriptor & 3) !== 0 || descriptor >> 6 === 3) return null;
  const at = isSingle ? 5 : 6;
  if (descriptor >> 6 === 2) {
    const sizeBytes = view.getUint32(at, true);
    return sizeBytes <= MOST_BYTES ? sizeBytes : null;
  }
  if (descriptor >> 6 === 1) return view.getUint16(at, true) + 256;
  return isSingle ? frame[at]! : null;
}
