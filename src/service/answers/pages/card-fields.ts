import type { Reads } from '../../reads/reads.ts';
import type { CardFields } from '../../schemas/card-fields.ts';

/** What a page says of itself for others to show; what it does not say is left out. */
export async function cardFields(reads: Reads, pageId: number): Promise<CardFields> {
  const card = await reads.pageCard(pageId);
  if (card === null) return {};
  const { image, description, publishedAt, modifiedAt } = card;
  return {
    ...(image !== null && { image }),
    ...(description !== null && { description }),
    ...(publishedAt !== null && { published_at: publishedAt }),
    ...(modifiedAt !== null && { modified_at: modifiedAt }),
  };
}
