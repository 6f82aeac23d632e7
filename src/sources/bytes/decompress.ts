/**
 * Plain, gzip or zstd bytes in, plain bytes out, with a gap where the data is damaged.
 *
 * Gzip is read member by member, because archives put each record into a member of its own: after a
 * damaged one the reader looks for the next member (`1f 8b 08` and legal flags) and goes on there.
 * node:zlib's own multi-member mode cannot do that and loses whole members on an error, so the
 * gzip header and trailer are read here (RFC 1952) and each body goes through a raw inflater.
 */

import type { Transform } from 'node:stream';
import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { type ChunkStream, type Gap, StreamReader } from './stream-reader.ts';

type Compression = 'none' | 'gzip' | 'zstd';

const MEMBER_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);
const MAX_HEADER_FIELD_BYTES = 65_536;
const TRAILER_BYTES = 8;
const OUTPUT_CHUNK_BYTES = 65_536;

/** By the first four bytes. */
export function compressionOf(head: Uint8Array): Compression {
  if (isMemberStart(head)) return 'gzip';
  const isZstd = head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
  // A frame to be passed over (RFC 8878, section 3.1.2), as pzstd begins with; 5d is that of a dictionary, which is not read.
  const isFrame = head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
  const isPassed = isFrame && (head[0]! & 0xf0) === 0x50 && head[0] !== 0x5d;
  return isZstd || isPassed ? 'zstd' : 'none';
}

/** Plain data passes through. Closes the stream below when it is done or dropped. */
export async function* decompress(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ChunkStream {
  const input = new StreamReader(stream);
  try {
    const compression = compressionOf(await input.peek(4));
    if (compression === 'gzip') yield* gunzip(input);
    else if (compression === 'zstd') yield* unzstd(input);
    else for (let chunk: Buffer | null; (chunk = await input.takeChunk()) !== null; ) yield chunk;
  } finally {
    await input.close();
  }
}

async function* gunzip(input: StreamReader): ChunkStream {
  let producedBytes = 0;
  for (let member = 1; ; member++) {
    const start = await input.peek(4);
    if (start.length === 0) return;
    let damage: Damage | null = null;
    const startOffset = producedBytes;
    if (isMemberStart(start)) {
      const content = inflateMember(input, `gzip member ${member} from byte ${input.offset}`);
      for (let next = await content.next(); ; next = await content.next()) {
        if (next.done) {
          damage = next.value;
          break;
        }
        producedBytes += next.value.length;
        yield next.value;
      }
      if (damage === null) continue;
      yield { ...damage, startOffset };
    }
    // What damage left of its own member (a trailer at least) is no news; more may be another record.
    const skipped = await seekMember(input);
    const isNews = damage === null ? !skipped.allZero : damage.suspect && skipped.sizeBytes > TRAILER_BYTES;
    if (isNews) {
      yield {
        ...lost(`bytes that are no gzip data after gzip member ${member}`),
        startOffset: producedBytes,
      };
    }
  }
}

type Damage = Omit<Gap, 'startOffset'>;

/** Yields the content of one member; returns what is wrong with it. */
async function* inflateMember(
  input: StreamReader,
  member: string,
): AsyncGenerator<Uint8Array, Damage | null> {
  const cut: Damage = { reason: 'truncated', detail: `${member} is cut off`, suspect: false };
  if (!(await skipMemberHeader(input))) return cut;
  let crc = 0;
  let sizeBytes = 0;
  try {
    for await (const chunk of pump(createInflateRaw({ chunkSize: OUTPUT_CHUNK_BYTES }), input)) {
      crc = crc32(chunk, crc);
      sizeBytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (isCut(error)) return cut;
    return lost(`${member} is damaged (${(error as Error).message})`);
  }
  const trailer = await input.peek(TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) {
    await input.skip(trailer.length);
    return cut;
  }
  const isWhole = trailer.readUInt32LE(0) === crc && trailer.readUInt32LE(4) === sizeBytes % 2 ** 32;
  // A damaged member may have ended too late, and what looks like its trailer be the next one.
  if (!isWhole) return { ...lost(`${member} fails its checksum`), suspect: true };
  await input.skip(TRAILER_BYTES);
  return null;
}

async function* unzstd(input: StreamReader): ChunkStream {
  try {
    while ((await input.peek(1)).length > 0) {
      yield* pump(createZstdDecompress({ chunkSize: OUTPUT_CHUNK_BYTES }), input);
    }
  } catch (error) {
    const damage: Damage = isCut(error)
      ? { reason: 'truncated', detail: 'the zstd data is cut off', suspect: false }
      : lost(`the zstd data is damaged (${(error as Error).message})`);
    yield { ...damage, startOffset: 0 };
  }
}

/**
 * Pulls an engine's output, feeding it one chunk at a time and only when it has nothing to give, so
 * that a chunk that inflates a thousandfold is not held. Puts back what lies behind the end.
 */
async function* pump(
  engine: Transform & { bytesWritten: number },
  input: StreamReader,
): AsyncGenerator<Buffer> {
  let fedBytes = 0;
  let fed: Buffer = Buffer.alloc(0);
  let isFeeding = false;
  let hasEnded = false;
  let failure: Error | null = null;
  let wake = () => {};
  let hasNews = false;
  const signal = () => {
    hasNews = true;
    wake();
  };
  engine.on('readable', signal);
  engine.on('end', () => {
    hasEnded = true;
    signal();
  });
  engine.on('error', (error) => {
    failure = error;
    signal();
  });
  try {
    for (;;) {
      hasNews = false;
      const output: Buffer | null = engine.read();
      if (output !== null) {
        yield output;
        continue;
      }
      if (failure !== null) {
        input.unread(fed);
        throw failure;
      }
      if (hasEnded) break;
      // Bytes that the engine left lie behind the end of its data; `end` is on its way.
      if (!isFeeding && engine.bytesWritten === fedBytes) {
        isFeeding = true;
        const chunk = await input.takeChunk();
        if (chunk === null) {
          engine.end();
        } else {
          fed = chunk;
          fedBytes += chunk.length;
          engine.write(chunk, () => {
            isFeeding = false;
            signal();
          });
        }
      }
      if (!hasNews) await new Promise<void>((resolve) => (wake = resolve));
    }
    const behindBytes = fedBytes - engine.bytesWritten;
    input.unread(fed.subarray(fed.length - behindBytes));
  } finally {
    engine.destroy();
  }
}

/** False if the input ends inside the header. Layout: RFC 1952, section 2.3. */
async function skipMemberHeader(input: StreamReader): Promise<boolean> {
  const fixed = await input.peek(12);
  const flags = fixed[3] ?? 0;
  let isWhole = await input.skip(10);
  if (flags & 4)
    isWhole = (await input.skip(2 + (fixed.length < 12 ? 0 : fixed.readUInt16LE(10)))) && isWhole;
  if (flags & 8) isWhole = await skipZeroTerminated(input);
  if (flags & 16) isWhole = await skipZeroTerminated(input);
  if (flags & 2) isWhole = await input.skip(2);
  return isWhole;
}

async function skipZeroTerminated(input: StreamReader): Promise<boolean> {
  for (let sizeBytes = 0; sizeBytes < MAX_HEADER_FIELD_BYTES; sizeBytes++) {
    const byte = await input.peek(1);
    if (!(await input.skip(1))) return false;
    if (byte[0] === 0) return true;
  }
  return true;
}

/** Reads past everything before the next member. Zeros alone are padding, not damage. */
async function seekMember(input: StreamReader): Promise<{ allZero: boolean; sizeBytes: number }> {
  const start = input.offset;
  let allZero = true;
  for (;;) {
    const head = await input.peek(4);
    if (isMemberStart(head) || head.length === 0) return { allZero, sizeBytes: input.offset - start };
    const chunk = (await input.takeChunk())!;
    // The first byte is no start; a magic cut by the chunk's end must be seen whole, so its bytes stay.
    const found = chunk.indexOf(MEMBER_MAGIC, 1);
    const passed = Math.max(1, found >= 0 ? found : chunk.length - (MEMBER_MAGIC.length - 1));
    allZero &&= chunk.subarray(0, passed).every((byte) => byte === 0);
    input.unread(chunk.subarray(passed));
  }
}

function isMemberStart(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b && head[2] === 0x08 && ((head[3] ?? 0) & 0xe0) === 0;
}

function lost(detail: string): Damage {
  return { reason: 'unreadable', detail, suspect: false };
}

function isCut(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'Z_BUF_ERROR' || /unexpected end/i.test((error as Error).message);
}
