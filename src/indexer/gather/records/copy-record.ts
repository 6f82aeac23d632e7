import { sketchOptionsOf } from '../../../relations/copy.ts';
import { shingleDigest, tokenDigest } from '../../../sketch/fingerprint.ts';
import { type SketchOptions, sketchTokens } from '../../../sketch/shingle-sketch.ts';
import { SIMHASH_LANES, wordSimhash } from '../../../sketch/word-simhash.ts';
import type { PlainText } from '../../../store/blobs/plain-text.ts';
import { encodeKeys } from '../../../store/blobs/sketch-blobs.ts';
import type { StoredSketch } from '../../../store/read/input-reader.ts';
import type { TokenSequence } from '../../../text/token-sequence.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { bytes, digest, type Field, f64, RecordForm, rest, varint } from '../../files/records/record-form.ts';
import { copyParameters } from '../../options/copy-parameters.ts';

/** What a worker makes of each text for the copy relation. */
export interface CopySettings {
  readonly sketch: SketchOptions;
  /** Whether the word simhash is made, which checks pairs of one site. */
  readonly simhash: boolean;
  readonly keepText: boolean;
}

export function copySettings(options: Parameters<typeof copyParameters>[0]): CopySettings {
  return {
    sketch: sketchOptionsOf(copyParameters(options)),
    simhash: options.sameSiteBits > 0,
    keepText: options.keepText,
  };
}

/** A text as the copy relation sees it; the simhash is null where it is not made. */
export interface CopyRecord extends StoredSketch {
  /** As `PlainText` has it; null where texts are not kept. */
  readonly text: Uint8Array | null;
}

/** No text is made ready: what a record holds in an index without copies. */
export const NO_COPY: Uint8Array = new Uint8Array(0);

const out = new ByteWriter();

/** The record of one text and its tokens, packed; the view is valid until the next call. */
export function packCopy(text: PlainText, tokens: TokenSequence, settings: CopySettings): Uint8Array {
  const sketched = sketchTokens(tokens, settings.sketch);
  const { shingleCount, limit, keys } = sketched.sketch;
  return packCopyRecord({
    tokenDigest: tokenDigest(tokens),
    shingleDigest: shingleDigest(sketched),
    tokenCount: tokens.count,
    shingleCount,
    limit,
    keys: encodeKeys(keys),
    simhash: settings.simhash ? wordSimhash(tokens) : null,
    text: settings.keepText ? text.bytes() : null,
  });
}

const simhash: Field<Uint32Array | null> = {
  write: (out, lanes) => {
    out.u8(lanes === null ? 0 : 1);
    for (const lane of lanes ?? []) out.varint(lane);
  },
  read: (from) => {
    if (from.u8() === 0) return null;
    const lanes = new Uint32Array(SIMHASH_LANES);
    for (let lane = 0; lane < SIMHASH_LANES; lane++) lanes[lane] = from.varint();
    return lanes;
  },
  skip: (from) => {
    for (let n = from.u8() === 0 ? 0 : SIMHASH_LANES; n > 0; n--) from.varint();
  },
};

const COPY = new RecordForm({
  tokenDigest: digest,
  shingleDigest: digest,
  tokenCount: varint,
  shingleCount: varint,
  limit: f64,
  keys: bytes,
  simhash,
  text: rest,
});

/** The view is valid until the next call. */
export function packCopyRecord(copy: CopyRecord): Uint8Array {
  out.clear();
  COPY.write(out, { ...copy, text: copy.text ?? NO_COPY });
  return out.view();
}

/** Views into `bytes`. */
export function unpackCopy(packed: Uint8Array): CopyRecord {
  const copy = COPY.read(new ByteReader(packed));
  return { ...copy, text: copy.text.length === 0 ? null : copy.text };
}
