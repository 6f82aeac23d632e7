import { NO_CARD, type PageCard } from '../../../page/page-card.ts';
import { ByteReader, ByteWriter } from '../../files/bytes.ts';

const NOTHING: Uint8Array = new Uint8Array(0);
const out = new ByteWriter();

/** A card as bytes, none where it says nothing. The view is valid until the next call. */
export function packCard(card: PageCard): Uint8Array {
  const texts = [card.image, card.description, card.publishedAt, card.modifiedAt, card.siteName];
  if (texts.every((text) => text === null)) return NOTHING;
  out.clear();
  for (const text of texts) out.text(text ?? '');
  return out.view();
}

export function unpackCard(bytes: Uint8Array): PageCard {
  if (bytes.length === 0) return NO_CARD;
  const from = new ByteReader(bytes);
  const [image, description, publishedAt, modifiedAt, siteName] = [0, 1, 2, 3, 4].map(
    () => from.text() || null,
  );
  return {
    image: image!,
    description: description!,
    publishedAt: publishedAt!,
    modifiedAt: modifiedAt!,
    siteName: siteName!,
  };
}
