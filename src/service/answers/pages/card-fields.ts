import type { PageCard } from '../../../page/card/page-card.ts';
import { fieldsNamed } from '../../../page/fields/page-fields.ts';
import type { Reads } from '../../reads/reads.ts';
import type { CardFields } from '../../schemas/answers/card-fields.ts';

/** What each of some pages says of itself for others to show; what it does not say is left out. */
export async function cardFields(reads: Reads, pageIds: ArrayLike<number>): Promise<CardFields[]> {
  const said = Array.from(pageIds, async (pageId) => {
    const [card, fields] = await Promise.all([reads.pageCard(pageId), shownFields(reads, pageId, [])]);
    return { ...membersOf(card), ...fields };
  });
  return Promise.all(said);
}

/** Fields of a page, of `names` alone where there are any; nothing where it has none of them. */
export async function shownFields(
  reads: Reads,
  pageId: number,
  names: readonly string[],
): Promise<Pick<CardFields, 'fields'>> {
  if (reads.facts.card.fields.length === 0) return {};
  const fields = await reads.pageFields(pageId);
  const shown = fieldsNamed(fields, names.length === 0 ? Object.keys(fields) : names);
  return shown === undefined ? {} : { fields: shown as NonNullable<CardFields['fields']> };
}

function membersOf(card: PageCard | null): CardFields {
  if (card === null) return {};
  const { image, description, publishedAt, modifiedAt } = card;
  return {
    ...(image !== null && { image }),
    ...(description !== null && { description }),
    ...(publishedAt !== null && { published_at: publishedAt }),
    ...(modifiedAt !== null && { modified_at: modifiedAt }),
  };
}
