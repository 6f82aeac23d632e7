import { shingleFingerprint, tokenFingerprint } from '../../sketch/fingerprint.ts';
import { type SketchOptions, sketchTokens } from '../../sketch/shingle-sketch.ts';
import { SIMHASH_LANES, wordSimhash } from '../../sketch/word-simhash.ts';
import type { PlainText } from '../../store/blobs/plain-text.ts';
import { encodeKeys } from '../../store/blobs/sketch-blobs.ts';
import type { VersionRecord } from '../../store/records.ts';
import type { TokenSequence } from '../../text/token-sequence.ts';
import { ByteReader, ByteWriter } from '../files/bytes.ts';

/** What a worker makes of each text for the copy relation. */
export interface CopySettings {
  readonly sketch: SketchOptions;
  /** Whether the word simhash is made, which checks pairs of one site. */
  readonly simhash: boolean;
  readonly keepText: boolean;
}

/** A text as the copy relation sees it. */
export interface CopyRecord {
  readonly tokenDigest: Uint8Array;
  readonly shingleDigest: Uint8Array;
  readonly tokenCount: number;
  readonly shingleCount: number;
  /** Infinity where all keys are kept. */
  readonly limit: number;
  /** As `encodeKeys` packs them. */
  readonly keys: Uint8Array;
  /** Null where it is not made. */
  readonly simhash: Uint32Array | null;
  /** As `PlainText` packs it; null where texts are not kept. */
  readonly text: Uint8Array | null;
}

/** No text is made ready: what a record holds in an index without copies. */
export const NO_COPY: Uint8Array = new Uint8Array(0);

const out = new ByteWriter();

/** The record of one text and its tokens, packed; the view is valid until the next call. */
export function packCopy(text: PlainText, tokens: TokenSequence, settings: CopySettings): Uint8Array {
  const sketched = sketchTokens(tokens, settings.sketch);
  const { sketch } = sketched;
  const keys = encodeKeys(sketch.keys);
  out.clear();
  out.raw(Buffer.from(tokenFingerprint(tokens), 'hex'));
  out.raw(Buffer.from(shingleFingerprint(sketched), 'hex'));
  out.varint(tokens.count);
  out.varint(sketch.shingleCount);
  out.f64(sketch.limit);
  out.varint(keys.length);
  out.raw(keys);
  out.u8(settings.simhash ? 1 : 0);
  if (settings.simhash) for (const lane of wordSimhash(tokens)) out.varint(lane);
  if (settings.keepText) out.raw(text.pack());
  return out.view();
}

/** The record of a stored version, without its text. */
export function packVersion(version: VersionRecord): Uint8Array {
  const { sketch, simhash } = version;
  const keys = encodeKeys(sketch.keys);
  out.clear();
  out.raw(Buffer.from(version.tokenDigest, 'hex'));
  out.raw(Buffer.from(version.shingleDigest, 'hex'));
  out.varint(version.tokenCount);
  out.varint(sketch.shingleCount);
  out.f64(sketch.limit);
  out.varint(keys.length);
  out.raw(keys);
  out.u8(simhash === null ? 0 : 1);
  for (const lane of simhash ?? []) out.varint(lane);
  return out.view();
}

/** Views into `bytes`. */
export function unpackCopy(bytes: Uint8Array): CopyRecord {
  const from = new ByteReader(bytes);
  const head = {
    tokenDigest: from.raw(8),
    shingleDigest: from.raw(8),
    tokenCount: from.varint(),
    shingleCount: from.varint(),
    limit: from.f64(),
    keys: from.raw(from.varint()),
  };
  const simhash = from.u8() === 0 ? null : Uint32Array.from({ length: SIMHASH_LANES }, () => from.varint());
  return { ...head, simhash, text: from.done ? null : from.raw(bytes.length - from.at) };
}
