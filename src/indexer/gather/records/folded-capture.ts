import { decodePageInput, type PageInput } from '../../../store/blobs/page-input.ts';
import { ByteReader, ByteWriter } from '../../files/bytes.ts';
import { unpackCopy } from './copy-record.ts';
import type { PageFacts } from './page-record.ts';

/** A capture under a URL of its own that another capture speaks for, as `other_input` keeps it. */
interface FoldedCapture {
  readonly head: Pick<PageFacts, 'lang' | 'mediaType' | 'charset' | 'bodyBytes' | 'card'>;
  readonly title: string;
  readonly textDigest: Uint8Array;
  readonly input: PageInput;
  /** As `packCopy` makes it. */
  readonly copy: Uint8Array;
  /** As `decodeText` reads it; null where texts are not kept. */
  readonly text: Uint8Array | null;
}

const out = new ByteWriter();

/** `input` as `encodePageInput` makes it. The view is valid until the next call. */
export function packFolded(page: PageFacts, input: Uint8Array): Uint8Array {
  out.clear();
  out.text(page.title);
  out.text(page.lang);
  out.text(page.mediaType);
  out.text(page.charset);
  out.varint(page.bodyBytes);
  out.varint(page.card.length);
  out.raw(page.card);
  out.raw(page.textDigest);
  out.varint(input.length);
  out.raw(input);
  out.raw(page.copy);
  return out.view();
}

/** Views into `record`. */
export function unpackFolded(record: Uint8Array): FoldedCapture {
  const from = new ByteReader(record);
  const title = from.text();
  const head = {
    lang: from.text(),
    mediaType: from.text(),
    charset: from.text(),
    bodyBytes: from.varint(),
    card: from.raw(from.varint()),
  };
  const textDigest = from.raw(8);
  const input = decodePageInput(from.raw(from.varint()));
  const copy = from.raw(record.length - from.at);
  return { head, title, textDigest, input, copy, text: copy.length === 0 ? null : unpackCopy(copy).text };
}
