import { brokenBlob, VarintReader, writeVarint } from './varint.ts';
import { zstdPack, zstdUnpack } from './zstd.ts';

/**
 * What a page says besides its text, and the URLs that links lead to.
 *
 *   page_input.record   own URL, canonical URL, own features (each: bytes, text) | bytes of words, words | links | targets
 *                       | places
 *   link_url.urls       of each URL: bytes shared with the one before, bytes that follow, these bytes
 *
 * All numbers are varints. A target is 2 · page id, or 2 · link URL id + 1; it is stored as the difference d to the one
 * before, as 2d, or as -2d - 1 where it is negative.
 */
export interface PageInput {
  /** URL of the capture where it is not that of the page; else ''. */
  readonly ownUrl: string;
  /** What rel=canonical says, or ''. */
  readonly canonical: string;
  /** Features of its owner's, as JSON; '' for none. */
  readonly features: string;
  /** Counts of words where the text is not kept; else empty. */
  readonly words: Uint8Array;
  /** Of each link, in document order. */
  readonly targets: Float64Array;
  /** Where the links stand in the text. */
  readonly spans: Uint8Array;
}

/** Pages of one block of `page_input`. */
export const INPUT_BLOCK_PAGES = 40;

/** URLs of one block of `link_url`. */
export const LINK_URLS_A_BLOCK = 160;

export const pageTarget = (pageId: number) => 2 * pageId;
export const linkUrlTarget = (linkUrlId: number) => 2 * linkUrlId + 1;

export function encodePageInput({ words, targets, spans, ...texts }: PageInput): Uint8Array {
  const { ownUrl, canonical, features } = texts;
  const parts = [Buffer.from(ownUrl), Buffer.from(canonical), Buffer.from(features), words];
  const room = parts.reduce((sum, part) => sum + part.length + 8, 8 * (targets.length + 1) + spans.length);
  const bytes = new Uint8Array(room);
  let at = 0;
  for (const part of parts) {
    at = writeVarint(bytes, at, part.length);
    bytes.set(part, at);
    at += part.length;
  }
  at = writeVarint(bytes, at, targets.length);
  let before = 0;
  for (const target of targets) {
    const d = target - before;
    at = writeVarint(bytes, at, d >= 0 ? 2 * d : -2 * d - 1);
    before = target;
  }
  bytes.set(spans, at);
  return bytes.subarray(0, at + spans.length);
}

/** `words` and `spans` are views. Errors  CorruptError where the bytes end too early. */
export function decodePageInput(bytes: Uint8Array): PageInput {
  const from = new VarintReader(bytes);
  const [ownUrl, canonical, features, words] = [0, 1, 2, 3].map(() => {
    const size = from.next();
    from.at += size;
    return bytes.subarray(from.at - size, from.at);
  });
  const count = from.next();
  if (count > bytes.length) throw brokenBlob('page_input');
  const targets = new Float64Array(count);
  let before = 0;
  for (let i = 0; i < count; i++) {
    const value = from.next();
    before += value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    targets[i] = before;
  }
  if (from.at > bytes.length) throw brokenBlob('page_input');
  const text = (part: Uint8Array) => Buffer.from(part).toString();
  return {
    ownUrl: text(ownUrl!),
    canonical: text(canonical!),
    features: text(features!),
    words: words!,
    targets,
    spans: bytes.subarray(from.at),
  };
}

/** The features of the owner's alone. Errors  as `decodePageInput`. */
export function featuresOfPageInput(bytes: Uint8Array): string {
  const from = new VarintReader(bytes);
  for (let text = 0; text < 2; text++) {
    const size = from.next();
    from.at += size;
  }
  const size = from.next();
  if (from.at + size > bytes.length) throw brokenBlob('page_input');
  return Buffer.from(bytes.subarray(from.at, from.at + size)).toString();
}

/** `urls` in string order; packed, as what they do not share with the one before is much alike. */
export function encodeLinkUrls(urls: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(urls.reduce((sum, url) => sum + 3 * url.length + 16, 0));
  let at = 0;
  let before = Buffer.alloc(0);
  for (const url of urls) {
    const own = Buffer.from(url);
    let shared = 0;
    while (shared < own.length && own[shared] === before[shared]) shared++;
    at = writeVarint(bytes, at, shared);
    at = writeVarint(bytes, at, own.length - shared);
    bytes.set(own.subarray(shared), at);
    at += own.length - shared;
    before = own;
  }
  return zstdPack(bytes.subarray(0, at));
}

export function decodeLinkUrls(packed: Uint8Array): string[] {
  const urls: string[] = [];
  let bytes: Uint8Array;
  try {
    bytes = zstdUnpack(packed);
  } catch {
    throw brokenBlob('link_url');
  }
  const from = new VarintReader(bytes);
  let before = Buffer.alloc(0);
  while (from.at < bytes.length) {
    const shared = from.next();
    const size = from.next();
    if (from.at + size > bytes.length || shared > before.length) throw brokenBlob('link_url');
    before = Buffer.concat([before.subarray(0, shared), bytes.subarray(from.at, from.at + size)]);
    from.at += size;
    urls.push(before.toString());
  }
  return urls;
}
