/**
 * Plain, gzip or zstd bytes in, plain bytes out, with a gap where the data is damaged.
 *
 * Both are read member by member (zstd calls them frames), because archives put each record into one of its own: after a
 * damaged one the reader looks for how the next one begins and goes on there.
 * node:zlib's own multi-member mode cannot do that and loses whole members on an error, so the
 * gzip header and trailer are read here (RFC 1952) and each body goes through a raw inflater.
 */

import type { Transform } from 'node:stream';
import zlib, { crc32, createInflateRaw } from 'node:zlib';
import { type ChunkStream, type Gap, StreamReader } from './stream-reader.ts';
import {
  BLOCK_HEADER_BYTES,
  blockOf,
  frameBorders,
  isDataFrame,
  isPassedFrame,
  PASSED_HEADER_BYTES,
  passedFrameBytes,
  ZSTD_MAGIC,
} from './zstd-frame.ts';

type Compression = 'none' | 'gzip' | 'zstd';

const TRAILER_BYTES = 8;

/** How the members of a kind begin, and what reads one. */
interface Kind {
  readonly member: string;
  readonly magic: Buffer;
  isStart(head: Uint8Array): boolean;
  /** Yields the content; returns what is wrong with it, and leaves what may be the start of another one. */
  content(input: StreamReader, member: string): AsyncGenerator<Uint8Array, Damage | null>;
}

const GZIP: Kind = {
  member: 'gzip member',
  magic: Buffer.from([0x1f, 0x8b, 0x08]),
  // Legal flags.
  isStart: (head) => beginsWith(head, GZIP.magic) && ((head[3] ?? 0) & 0xe0) === 0,
  content: inflateMember,
};
const DICTIONARY_MAGIC = Buffer.from([0x5d, 0x2a, 0x4d, 0x18]);
const MAX_DICTIONARY_BYTES = 2 ** 26;
const MAX_HEADER_FIELD_BYTES = 65_536;
const OUTPUT_CHUNK_BYTES = 65_536;
/** Deflate makes at most so many bytes of one. */
const MOST_OF_A_BYTE = 1032;
const LEAST_LOST_BYTES = 2 ** 26;

/** By the first four bytes. */
export function compressionOf(head: Uint8Array): Compression {
  if (GZIP.isStart(head)) return 'gzip';
  return isFrameStart(head) ? 'zstd' : 'none';
}

/** Whether this is a WARC of zstd frames that share a dictionary. Source  Zstandard Compression for WARC Files 1.0, IIPC. */
export function isWarcDictionary(head: Uint8Array): boolean {
  return beginsWith(head, DICTIONARY_MAGIC);
}

function isFrameStart(head: Uint8Array): boolean {
  return isDataFrame(head) || isPassedFrame(head);
}

function beginsWith(head: Uint8Array, magic: Uint8Array): boolean {
  return magic.every((byte, at) => head[at] === byte);
}

/** Plain data passes through. Closes the stream below when it is done or dropped. */
export async function* decompress(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ChunkStream {
  await using input = new StreamReader(stream);
  const compression = compressionOf(await input.peek(4));
  if (compression === 'gzip') yield* members(input, GZIP);
  else if (compression === 'zstd') yield* unzstd(input);
  else for (let chunk: Buffer | null; (chunk = await input.takeChunk()) !== null; ) yield chunk;
}

async function* members(input: StreamReader, kind: Kind): ChunkStream {
  let producedBytes = 0;
  let lostBytes = 0;
  for (let number = 1; ; number++) {
    const start = await input.peek(4);
    if (start.length === 0) return;
    let damage: Damage | null = null;
    const startOffset = producedBytes;
    const member = `${kind.member} ${number}`;
    if (kind.isStart(start)) {
      const content = kind.content(input, `${member} from byte ${input.offset}`);
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
      lostBytes += producedBytes - startOffset;
      // More than there can be once: members stand inside each other, to be inflated again and again.
      if (lostBytes > LEAST_LOST_BYTES + MOST_OF_A_BYTE * input.offset) {
        yield {
          ...lost(`no member is looked for behind ${member}: they overlap`),
          startOffset: producedBytes,
        };
        return;
      }
    }
    const isPadding = await seekMember(input, kind);
    // What damage left of its own member is no news.
    if (damage === null && !isPadding) {
      yield {
        ...lost(`bytes that are none behind ${member}`),
        startOffset: producedBytes,
      };
    }
  }
}

type Damage = Omit<Gap, 'startOffset'>;

async function* inflateMember(
  input: StreamReader,
  member: string,
): AsyncGenerator<Uint8Array, Damage | null> {
  const cut: Damage = { reason: 'truncated', detail: `${member} is cut off`, suspect: false };
  if (!(await skipMemberHeader(input))) return cut;
  let crc = 0;
  let sizeBytes = 0;
  let last: Taken;
  try {
    const content = pump(createInflateRaw({ chunkSize: OUTPUT_CHUNK_BYTES }), input);
    let next = await content.next();
    for (; next.done !== true; next = await content.next()) {
      crc = crc32(next.value, crc);
      sizeBytes += next.value.length;
      yield next.value;
    }
    last = next.value;
  } catch (error) {
    if (isCut(error)) return cut;
    return lost(`${member} is damaged (${(error as Error).message})`);
  }
  // A chunk is good until the next one is asked for.
  const taken = last.behindBytes < TRAILER_BYTES ? Buffer.from(last.bytes) : last.bytes;
  const trailer = await input.peek(TRAILER_BYTES);
  if (trailer.length < TRAILER_BYTES) {
    await input.skip(trailer.length);
    return cut;
  }
  const isWhole = trailer.readUInt32LE(0) === crc && trailer.readUInt32LE(4) === sizeBytes % 2 ** 32;
  if (!isWhole) {
    // A damaged member may have ended too late, inside the next one.
    input.unread(taken);
    return { ...lost(`${member} fails its checksum`), suspect: true };
  }
  await input.skip(TRAILER_BYTES);
  return null;
}

async function* unzstd(input: StreamReader): ChunkStream {
  let dictionary: Buffer | undefined;
  if (isWarcDictionary(await input.peek(4))) {
    const taken = await takeDictionary(input);
    if (!Buffer.isBuffer(taken)) {
      yield { ...taken, startOffset: 0 };
      return;
    }
    dictionary = taken;
  }
  yield* members(input, {
    member: 'zstd frame',
    magic: ZSTD_MAGIC,
    isStart: isFrameStart,
    content: (from, frame) => frameContent(from, frame, dictionary),
  });
}

/** What is wrong with it where it cannot be used: then no frame can be read. */
async function takeDictionary(input: StreamReader): Promise<Buffer | Damage> {
  const head = await input.peek(8);
  const sizeBytes = head.length < 8 ? 0 : head.readUInt32LE(4);
  if (sizeBytes > MAX_DICTIONARY_BYTES) return lost(`the zstd dictionary has ${sizeBytes} bytes`);
  await input.skip(8);
  const bytes = await input.read(sizeBytes);
  if (bytes === null || sizeBytes === 0)
    return { reason: 'truncated', detail: 'the zstd dictionary is cut off', suspect: false };
  try {
    return isDataFrame(bytes)
      ? zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_DICTIONARY_BYTES })
      : Buffer.from(bytes.buffer);
  } catch (error) {
    return lost(`the zstd dictionary is damaged (${(error as Error).message})`);
  }
}

async function* frameContent(
  input: StreamReader,
  frame: string,
  dictionary: Buffer | undefined,
): AsyncGenerator<Uint8Array, Damage | null> {
  const cut: Damage = { reason: 'truncated', detail: `${frame} is cut off`, suspect: false };
  const head = await input.peek(PASSED_HEADER_BYTES);
  if (isPassedFrame(head)) return (await input.skip(passedFrameBytes(head))) ? null : cut;
  const start = input.offset;
  try {
    const engine = zlib.createZstdDecompress({ chunkSize: OUTPUT_CHUNK_BYTES, dictionary });
    yield* pump(engine, input, frameTaker(input));
    return null;
  } catch (error) {
    // Its own start is no next one.
    if (input.offset === start) await input.skip(ZSTD_MAGIC.length);
    if (isCut(error)) return cut;
    const { code, message } = error as NodeJS.ErrnoException;
    return { ...lost(`${frame} is damaged (${message})`), suspect: code === 'ZSTD_error_checksum_wrong' };
  }
}

/**
 * Gives the bytes of one frame, and null behind it: some versions of Node.js read what follows into the same content, and lose all
 * that they were given where that is damaged.
 */
function frameTaker(input: StreamReader): () => Promise<Buffer | null> {
  let checksumBytes = -1;
  let isMeasured = false;
  /** Of what is known to belong to the frame. */
  let leftBytes = 0;
  const measure = async () => {
    if (checksumBytes < 0) {
      const borders = frameBorders(await input.peek(PASSED_HEADER_BYTES));
      leftBytes = borders.headBytes;
      checksumBytes = borders.checksumBytes;
    }
    while (!isMeasured && leftBytes < OUTPUT_CHUNK_BYTES) {
      const header = (await input.peek(leftBytes + BLOCK_HEADER_BYTES)).subarray(leftBytes);
      const isCutOff = header.length < BLOCK_HEADER_BYTES;
      const { sizeBytes, isLast } = isCutOff ? { sizeBytes: header.length, isLast: true } : blockOf(header);
      leftBytes += sizeBytes + (isLast ? checksumBytes : 0);
      isMeasured = isLast;
    }
  };
  return async () => {
    if (leftBytes === 0) await measure();
    const chunk = leftBytes === 0 ? null : await input.takeChunk();
    if (chunk === null) return null;
    const taken = chunk.subarray(0, leftBytes);
    input.unread(chunk.subarray(leftBytes));
    leftBytes -= taken.length;
    return taken;
  };
}

/** What an engine took of the last chunk that it was given, and how much it left. */
interface Taken {
  readonly bytes: Buffer;
  readonly behindBytes: number;
}

/**
 * Pulls an engine's output, feeding it one chunk at a time and only when it has nothing to give, so
 * that a chunk that inflates a thousandfold is not held. Puts back what lies behind the end.
 */
async function* pump(
  engine: Transform & { bytesWritten: number },
  input: StreamReader,
  take = () => input.takeChunk(),
): AsyncGenerator<Buffer, Taken> {
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
        const chunk = await take();
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
    const end = fed.length - behindBytes;
    input.unread(fed.subarray(end));
    return { bytes: fed.subarray(0, end), behindBytes };
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

/** Reads past everything before the next member; whether it was zeros alone, which are padding. */
async function seekMember(input: StreamReader, { magic, isStart }: Kind): Promise<boolean> {
  let isPadding = true;
  for (;;) {
    const head = await input.peek(4);
    if (isStart(head) || head.length === 0) return isPadding;
    const chunk = (await input.takeChunk())!;
    // The first byte is no start; a magic cut by the chunk's end must be seen whole, so its bytes stay.
    const found = chunk.indexOf(magic, 1);
    const passed = Math.max(1, found >= 0 ? found : chunk.length - (magic.length - 1));
    isPadding &&= chunk.subarray(0, passed).every((byte) => byte === 0);
    input.unread(chunk.subarray(passed));
  }
}

function lost(detail: string): Damage {
  return { reason: 'unreadable', detail, suspect: false };
}

function isCut(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'Z_BUF_ERROR' || /unexpected end/i.test((error as Error).message);
}
