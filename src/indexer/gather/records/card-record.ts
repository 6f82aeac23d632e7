import { NO_CARD, type PageCard } from '../../../page/card/page-card.ts';
import { ByteReader, ByteWriter } from '../../files/records/bytes.ts';
import { optional, RecordForm } from '../../files/records/record-form.ts';

const NOTHING: Uint8Array = new Uint8Array(0);
const CARD = new RecordForm({
  image: optional,
  description: optional,
  publishedAt: optional,
  modifiedAt: optional,
  siteName: optional,
});
const out = new ByteWriter();

/** A card as bytes, none where it says nothing. The view is valid until the next call. */
export function packCard(card: PageCard): Uint8Array {
  if (Object.values(card).every((text) => text === null)) return NOTHING;
  out.clear();
  CARD.write(out, card);
  return out.view();
}

export function unpackCard(bytes: Uint8Array): PageCard {
  return bytes.length === 0 ? NO_CARD : CARD.read(new ByteReader(bytes));
}
