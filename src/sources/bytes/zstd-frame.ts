/** How zstd frames are put together. Source  RFC 8878, section 3.1. */

export const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The first of sixteen that differ in their first byte. */
const PASSED_MAGIC = Buffer.from([0x50, 0x2a, 0x4d, 0x18]);
/** What each block, and a frame that is to be passed over, begins with. */
export const BLOCK_HEADER_BYTES = 3;
export const PASSED_HEADER_BYTES = 8;

/** Of one with data. */
export function isDataFrame(head: Uint8Array): boolean {
  return ZSTD_MAGIC.every((byte, at) => head[at] === byte);
}

/** Of one that is to be passed over, as pzstd and dictionaries begin with. */
export function isPassedFrame(head: Uint8Array): boolean {
  return (
    ((head[0] ?? 0) & 0xf0) === PASSED_MAGIC[0] && [1, 2, 3].every((at) => head[at] === PASSED_MAGIC[at])
  );
}

/** All of a frame that is to be passed over, by its first bytes; those that it has where they are too few. */
export function passedFrameBytes(head: Buffer): number {
  return head.length < PASSED_HEADER_BYTES ? PASSED_HEADER_BYTES : PASSED_HEADER_BYTES + head.readUInt32LE(4);
}

/** Of a frame with data: what stands before its first block and behind its last, by its first five bytes. */
export function frameBorders(head: Uint8Array): {
  readonly headBytes: number;
  readonly checksumBytes: number;
} {
  const descriptor = head[4] ?? 0;
  const isSingleSegment = (descriptor & 32) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const headBytes = ZSTD_MAGIC.length + 1 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  return { headBytes, checksumBytes: (descriptor & 4) === 0 ? 0 : 4 };
}

/** A block by its header, which counts. */
export function blockOf(header: Buffer): { readonly sizeBytes: number; readonly isLast: boolean } {
  const bits = header.readUIntLE(0, BLOCK_HEADER_BYTES);
  const isRepeatedByte = ((bits >> 1) & 3) === 1;
  return { sizeBytes: BLOCK_HEADER_BYTES + (isRepeatedByte ? 1 : bits >> 3), isLast: (bits & 1) === 1 };
}

/** Where the frame ends that begins at `start`; behind the bytes where they break off before. */
export function frameEnd(bytes: Buffer, start: number): number {
  const head = bytes.subarray(start, start + PASSED_HEADER_BYTES);
  if (isPassedFrame(head)) return start + passedFrameBytes(head);
  const { headBytes, checksumBytes } = frameBorders(head);
  let end = start + headBytes;
  while (end + BLOCK_HEADER_BYTES <= bytes.length) {
    const { sizeBytes, isLast } = blockOf(bytes.subarray(end));
    end += sizeBytes;
    if (isLast) return end + checksumBytes;
  }
  return bytes.length;
}
