/**
 * Undoes what HTTP did to a body on its way: Transfer-Encoding chunked and Content-Encoding gzip,
 * deflate, br and zstd. Crawlers often store a body decoded under the headers it came with, so a body
 * that does not look encoded is taken as it is; one that breaks off gives what came before.
 */

import zlib, { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { frameEnd, isDataFrame, isPassedFrame } from '../bytes/zstd-frame.ts';
import { type Headers, joinedValue } from './headers.ts';

type DecodedBody =
  | { readonly body: Uint8Array; readonly fault: null }
  | { readonly fault: 'too_large' | 'unreadable'; readonly detail: string };

/** Each may cost as much as a page; browsers and crawlers take as many. */
const MAX_CODINGS = 5;
/** Of zstd in a body: each costs some ten microseconds, however short it is. */
const MAX_FRAMES = 1000;

/** Never gives, nor holds, more than `maxBytes`. */
export function decodeHttpBody(encoded: Uint8Array, headers: Headers, maxBytes: number): DecodedBody {
  let body = encoded;
  // Some servers name the content coding here; chunked is always the last one applied.
  const transfer = codings(joinedValue(headers, 'transfer-encoding'));
  if (transfer.at(-1) === 'chunked') {
    body = dechunk(body);
    transfer.pop();
  }
  const content = codings(joinedValue(headers, 'content-encoding'));
  const layers = [...content, ...transfer].reverse();
  if (layers.length > MAX_CODINGS) {
    return { fault: 'unreadable', detail: `${layers.length} Content-Encodings, above ${MAX_CODINGS}` };
  }
  for (const coding of layers) {
    if (UNREAD_CODINGS.has(coding))
      return { fault: 'unreadable', detail: `Content-Encoding ${coding} is not read` };
    const decoder = DECODERS.get(coding);
    // `utf-8`, `8bit`, `text/html`: some servers put here what is no coding, and browsers pass it over.
    if (decoder === undefined || body.length === 0) continue;
    try {
      body = decoder(body, maxBytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes);
      return { fault: 'unreadable', detail: `${coding} body is damaged (${(error as Error).message})` };
    }
  }
  return body.length > maxBytes ? tooLarge(maxBytes) : { body, fault: null };
}

/** Undoes RFC 9112, section 7.1; bytes that are in no chunks stay as they are. */
export function dechunk(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const parts: Buffer[] = [];
  let position = 0;
  while (position < bytes.length) {
    const lineEnd = bytes.indexOf(10, position);
    const sizeText =
      lineEnd < 0 || lineEnd - position > 256 ? '' : bytes.toString('latin1', position, lineEnd);
    const sizeBytes = /^\s*[0-9a-f]{1,8}\s*(;.*)?\r?$/i.test(sizeText)
      ? Number.parseInt(sizeText, 16)
      : Number.NaN;
    // No chunk size where one must stand: the body was stored without its chunks, or is damaged from here on.
    if (Number.isNaN(sizeBytes)) return position === 0 ? body : Buffer.concat(parts);
    if (sizeBytes === 0) break;
    parts.push(bytes.subarray(lineEnd + 1, lineEnd + 1 + sizeBytes));
    position = lineEnd + 1 + sizeBytes;
    if (bytes[position] === 13) position++;
    if (bytes[position] === 10) position++;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

function codings(value: string | null): string[] {
  const names = (value ?? '').toLowerCase().split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'none');
}

type Decoder = (body: Uint8Array, maxBytes: number) => Uint8Array;

const gunzip: Decoder = (body, maxOutputLength) => {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return gunzipSync(body, options);
  } catch (error) {
    // What stands behind the whole of it is no member: bare deflate data ends where it ends.
    if ((error as Error).message !== 'incorrect header check') throw error;
    return inflateRawSync(body.subarray(gzipHeadBytes(body)), options);
  }
};

/** RFC 1952, section 2.3. */
function gzipHeadBytes(body: Uint8Array): number {
  const flags = body[3]!;
  let bytes = 10;
  if ((flags & 4) !== 0) bytes += 2 + body[bytes]! + 256 * body[bytes + 1]!;
  for (const hasText of [flags & 8, flags & 16]) if (hasText !== 0) bytes = body.indexOf(0, bytes) + 1;
  return (flags & 2) === 0 ? bytes : bytes + 2;
}

/** `deflate` means zlib (RFC 9110, 8.4.1.2); bare deflate data is sent under that name as well. */
const inflate: Decoder = (body, maxOutputLength) => {
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  const isZlib = (body[0]! & 15) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0;
  if (isZlib) return inflateSync(body, options);
  return orAsStored(body, () => inflateRawSync(body, options));
};

const unbrotli: Decoder = (body, maxOutputLength) =>
  orAsStored(body, () =>
    brotliDecompressSync(body, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  );

/** What Node.js makes of several frames depends on its version: the content of all, or of the first. */
const unzstd: Decoder = (body, maxBytes) => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isDataFrame(bytes) && !isPassedFrame(bytes)) return body;
  const parts: Buffer[] = [];
  let leftBytes = maxBytes;
  let end = 0;
  // What stands behind the last is no frame, and passed over.
  for (let frames = 0, start = 0; start < bytes.length; start = end) {
    if (++frames > MAX_FRAMES) throw new Error(`more than ${MAX_FRAMES} frames`);
    end = frameEnd(bytes, start);
    const frame = bytes.subarray(start, end);
    if (isPassedFrame(frame)) continue;
    if (!isDataFrame(frame)) break;
    const options = { maxOutputLength: Math.max(leftBytes, 1), finishFlush: constants.ZSTD_e_flush };
    parts.push(zlib.zstdDecompressSync(frame, options));
    leftBytes -= parts.at(-1)!.length;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
};

/** For codings without a magic number: a body that starts like text and does not decode was stored decoded. */
function orAsStored(body: Uint8Array, decode: () => Uint8Array): Uint8Array {
  try {
    return decode();
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const isText = body
      .subarray(0, 64)
      .every((byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 13);
    if (isText && !isTooLarge) return body;
    throw error;
  }
}

/** The other codings that are registered. */
const UNREAD_CODINGS = new Set(['compress', 'x-compress', 'aes128gcm', 'dcb', 'dcz', 'exi', 'pack200-gzip']);

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', unbrotli],
  ['zstd', unzstd],
]);

function tooLarge(maxBytes: number): DecodedBody {
  return { fault: 'too_large', detail: `more than ${maxBytes} bytes` };
}
