import type { OrLater } from '../../../lib/or-later.ts';
import { COPY } from '../../../relations/copy.ts';
import { hostOf } from '../../../url/site.ts';
import type { Head, Reads } from '../../reads/reads.ts';
import type { CardFields } from '../../schemas/answers/card-fields.ts';
import type { Narrowing } from '../../schemas/parameters/list-parameters.ts';
import { type CopySource, copySource, templateOf } from '../copies/copy-source.ts';
import { cardFields, shownFields } from '../pages/card-fields.ts';
import { ownBeginning } from './own-beginning.ts';

/** To read a text, and to look for its own beginning. */
const PASSAGE_US = 120;
const NO_TEMPLATE = new Float64Array(0);

/** What is shown of a page in a list, beside its title: what it says of itself, else how its own text begins. */
export interface ListCard extends CardFields {
  readonly passage?: string;
}

/** Whether something is asked to be shown of pages beside their titles. */
export function showsMore({ cards, fields }: Pick<Narrowing, 'cards' | 'fields'>): boolean {
  return cards || fields.length > 0;
}

/** What is asked to be shown of each of some pages of a list, in their order; null where that is nothing. */
export function listShown(
  reads: Reads,
  shown: Pick<Narrowing, 'cards' | 'fields'>,
  pageIds: ArrayLike<number>,
  heads: readonly Head[],
): OrLater<ListCard[] | null> {
  return showsMore(shown) ? whatIsShown(reads, shown, pageIds, heads) : null;
}

async function whatIsShown(
  reads: Reads,
  { cards, fields }: Pick<Narrowing, 'cards' | 'fields'>,
  pageIds: ArrayLike<number>,
  heads: readonly Head[],
): Promise<ListCard[]> {
  const named = () => Promise.all(Array.from(pageIds, (pageId) => shownFields(reads, pageId, fields)));
  if (!cards) return named();
  const shown = await listCards(reads, pageIds, heads);
  if (fields.length === 0) return shown;
  const own = await named();
  return shown.map(({ fields: _all, ...card }, i) => ({ ...card, ...own[i] }));
}

/** Of each of some pages, in their order; a passage only where the index keeps texts. */
export async function listCards(
  reads: Reads,
  pageIds: ArrayLike<number>,
  heads: readonly Head[],
): Promise<ListCard[]> {
  const source = reads.facts.holds(COPY.name) ? copySource(reads) : null;
  const cards = await cardFields(reads, pageIds);
  return Promise.all(
    cards.map(async (card, i): Promise<ListCard> => {
      if (card.description !== undefined) return card;
      const passage = await passageOf(reads, source, pageIds[i]!, heads[i]!);
      return passage === undefined ? card : { ...card, passage };
    }),
  );
}

async function passageOf(
  reads: Reads,
  source: CopySource | null,
  pageId: number,
  { url, title, fetched }: Head,
): Promise<string | undefined> {
  if (!fetched) return undefined;
  const [versionId, template] = await Promise.all([
    reads.currentVersion(pageId),
    source === null ? NO_TEMPLATE : templateOf(source, hostOf(url)),
  ]);
  const kept = versionId < 0 ? null : await reads.versionText(versionId);
  if (kept === null) return undefined;
  reads.work.spend(PASSAGE_US);
  return ownBeginning(kept.text, title, template, source?.options.shingleSize ?? 1);
}
