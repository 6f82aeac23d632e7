/** A file for browsers: compressed once, answered from memory. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keptIn } from '../../lib/kept.ts';
import { tagMatches } from './question/request-key.ts';

type Encoding = 'br' | 'gzip';

export interface Asset {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Compressed by the first request for it, and kept. */
  encoded(encoding: Encoding): Promise<Buffer>;
  /** Of its bytes, in hexadecimal digits: for a path that never means anything else. */
  readonly digest: string;
  /** As the attribute of this name wants it. */
  readonly integrity: string;
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Under a path whose bytes change with the next version. */
export const REVALIDATED = 'public, max-age=600, stale-while-revalidate=86400, stale-if-error=604800';

const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: (bytes) => promisify<Buffer, { level: number }, Buffer>(gzip)(bytes, { level: 9 }),
};

export function prepareAsset(bytes: Buffer, mediaType: string): Asset {
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    mediaType,
    bytes,
    encoded: (encoding) => keptIn(made, encoding, () => COMPRESS[encoding](bytes)),
    digest: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
  };
}

/** Answers in the encoding that the client takes, or 304. */
export async function replyAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string,
): Promise<FastifyReply> {
  const encoding = encodingOf(request.headers['accept-encoding'], ['br', 'gzip']);
  // Weak: the same for all encodings.
  const tag = `W/"${asset.digest}"`;
  reply.headers({
    // Whichever origins may ask the service: a script with `integrity` is fetched as any origin's.
    'access-control-allow-origin': '*',
    'cache-control': cacheControl,
    etag: tag,
    vary: 'Accept-Encoding',
  });
  const condition = request.headers['if-none-match'];
  if (condition !== undefined && tagMatches(condition, tag)) return reply.code(304).send();
  reply.header('content-type', asset.mediaType);
  if (encoding === null) return reply.send(asset.bytes);
  return reply.header('content-encoding', encoding).send(await asset.encoded(encoding));
}

/** The first of the encodings that a client takes; none where its `q` is 0. */
export function encodingOf<Offered extends Encoding>(
  acceptEncoding: string | string[] = '',
  offered: readonly Offered[],
): Offered | null {
  const taken = String(acceptEncoding)
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';')[0]!.trim());
  return offered.find((one) => taken.includes(one)) ?? null;
}
