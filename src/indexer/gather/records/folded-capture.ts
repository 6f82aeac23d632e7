import { decodePageInput, type PageInput } from '../../../store/blobs/page-input.ts';
import { zstdPack, zstdUnpack } from '../../../store/blobs/zstd.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import {
  bytes,
  digest,
  RecordForm,
  type RecordOf,
  rest,
  text,
  varint,
} from '../../files/records/record-form.ts';
import { unpackCopy } from './copy-record.ts';
import type { PageFacts } from './page-record.ts';

const FIELDS = {
  title: text,
  lang: text,
  mediaType: text,
  charset: text,
  bodyBytes: varint,
  card: bytes,
  fields: text,
  vectors: text,
  textDigest: digest,
  /** As `encodePageInput` makes it. */
  input: bytes,
  /** As `packCopy` makes it. */
  copy: rest,
} as const;
const FOLDED = new RecordForm(FIELDS);

/** A capture under a URL of its own that another capture speaks for, as `other_input` keeps it. */
interface FoldedCapture extends Omit<RecordOf<typeof FIELDS>, 'input'> {
  readonly input: PageInput;
  /** As `decodeText` reads it; null where texts are not kept. */
  readonly text: Uint8Array | null;
}

const out = new ByteWriter();

/** A zstd frame. */
export function packFolded(page: PageFacts, input: Uint8Array): Uint8Array {
  out.clear();
  FOLDED.write(out, { ...page, input });
  return zstdPack(out.view());
}

/** Errors  what zlib throws for bytes that are no whole frame. */
export function unpackFolded(record: Uint8Array): FoldedCapture {
  const folded = FOLDED.read(new ByteReader(zstdUnpack(record)));
  const text = folded.copy.length === 0 ? null : unpackCopy(folded.copy).text;
  return { ...folded, input: decodePageInput(folded.input), text };
}
