import type { Generation } from '../../held/generation.ts';
import type { JsonWriter } from '../../http/json-writer.ts';
import type { CardFields } from '../../schemas/card-fields.ts';

/** What a page says of itself for others to show; what it does not say is left out. */
export function cardFields({ reader }: Generation, pageId: number): CardFields {
  const card = reader.pageCards.get(pageId);
  if (card === null) return {};
  const { image, description, publishedAt, modifiedAt } = card;
  return {
    ...(image !== null && { image }),
    ...(description !== null && { description }),
    ...(publishedAt !== null && { published_at: publishedAt }),
    ...(modifiedAt !== null && { modified_at: modifiedAt }),
  };
}

/** What a page says of itself, as members of an item. */
export function writeCard(json: JsonWriter, generation: Generation, pageId: number): void {
  const members = JSON.stringify(cardFields(generation, pageId)).slice(1, -1);
  if (members !== '') json.text(`,${members}`);
}
