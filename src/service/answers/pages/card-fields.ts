import type { PageCard } from '../../../page/card/page-card.ts';
import type { Reads } from '../../reads/reads.ts';
import type { CardFields } from '../../schemas/answers/card-fields.ts';

/** What each of some pages says of itself for others to show; what it does not say is left out. */
export async function cardFields(reads: Reads, pageIds: ArrayLike<number>): Promise<CardFields[]> {
  return Promise.all(Array.from(pageIds, async (pageId) => fieldsOf(await reads.pageCard(pageId))));
}

function fieldsOf(card: PageCard | null): CardFields {
  if (card === null) return {};
  const { image, description, publishedAt, modifiedAt } = card;
  return {
    ...(image !== null && { image }),
    ...(description !== null && { description }),
    ...(publishedAt !== null && { published_at: publishedAt }),
    ...(modifiedAt !== null && { modified_at: modifiedAt }),
  };
}
