/** The records of an archive of this crawler, with where they stand: each is a gzip member with a header of ten bytes. */
import { createReadStream } from 'node:fs';
import { constants, inflateRawSync } from 'node:zlib';
import { CorruptError } from '../../errors.ts';

const READ_BYTES = 4 * 2 ** 20;
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

export interface ArchiveMember {
  readonly offset: number;
  readonly lengthBytes: number;
  readonly record: Buffer;
}

/**
 * Holds one record at a time, and what is read of the file beyond it.
 *
 * Errors  CorruptError AKIN_ERR_INDEX_CORRUPT where a record is damaged, or cut off.
 *
 * @param watch is given all bytes of the file, in order.
 */
export async function* archiveMembers(
  path: string,
  watch: (bytes: Buffer) => void,
): AsyncGenerator<ArchiveMember> {
  let held: Buffer = Buffer.alloc(0);
  let offset = 0;
  const damaged = (cause?: unknown) =>
    new CorruptError('AKIN_ERR_INDEX_CORRUPT', `${path} is damaged at byte ${offset}`, {
      hint: 'restore the file; akin index reads what is left of it',
      cause,
    });
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    watch(chunk as Buffer);
    held = held.length === 0 ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer]);
    let start = 0;
    for (let member = firstMember(held, damaged); member !== null; ) {
      yield { offset, ...member };
      start += member.lengthBytes;
      offset += member.lengthBytes;
      member = firstMember(held.subarray(start), damaged);
    }
    held = held.subarray(start);
  }
  if (held.length > 0) throw damaged();
}

/** Null where it is not all there. */
function firstMember(
  bytes: Buffer,
  damaged: (cause: unknown) => CorruptError,
): { record: Buffer; lengthBytes: number } | null {
  if (bytes.length <= HEADER_BYTES + TRAILER_BYTES) return null;
  const { buffer, engine } = inflated(bytes.subarray(HEADER_BYTES), damaged);
  const end = HEADER_BYTES + engine.bytesWritten + TRAILER_BYTES;
  const isWhole = end <= bytes.length && bytes.readUInt32LE(end - 4) === buffer.length % 2 ** 32;
  return isWhole ? { record: buffer, lengthBytes: end } : null;
}

/** A stream that is cut gives what there is of it: the trailer says whether that is all. */
function inflated(stream: Buffer, damaged: (cause: unknown) => CorruptError) {
  try {
    const options = { info: true, finishFlush: constants.Z_SYNC_FLUSH } as object;
    return inflateRawSync(stream, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
  } catch (error) {
    throw damaged(error);
  }
}
