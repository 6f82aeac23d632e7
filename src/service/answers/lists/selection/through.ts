/** Which words two pages have in common by what their neighbors lend to them (join/lend), and who lends them. */
import type { Bag } from '../../../../features/bag.ts';
import { isOfLinks } from '../../../../features/parts.ts';
import { explainOverlap } from '../../../../join/exact/weighted-jaccard.ts';
import type { NeighborSpan } from '../../../../join/pairs/neighbor-table.ts';
import type { RelationRecord } from '../../../../store/records.ts';
import { LentPages } from '../../../reads/lent-search.ts';
import { type Reads, urlsOf } from '../../../reads/reads.ts';
import type { LentTermAnswer } from '../../../schemas/answers/term-answers.ts';

const SHOWN_TERMS = 5;
const SHOWN_PAGES = 3;

/** Of a page of `list`, which is that of a bag and of the page `self`, -1 for none: the heaviest words that one of both has by its neighbors alone; empty where lists go by their own. */
export function wordsThrough(
  reads: Reads,
  relation: RelationRecord,
  own: Bag,
  list: NeighborSpan,
  self: number,
): (pageId: number) => Promise<{ through?: LentTermAnswer[] }> {
  if (!reads.facts.isLent(relation)) return async () => ({});
  const pages = new LentPages(reads, relation);
  // Begun where it is awaited: a promise that fails before would end the process.
  let subject: ReturnType<LentPages['lentTo']> | null = null;
  return async (pageId) => {
    subject ??= pages.lentTo(own, list);
    const [mine, other, bag] = await Promise.all([subject, pages.of(pageId), pages.bag(pageId)]);
    const common = explainOverlap(mine.bag, other.bag);
    const [has, otherHas] = [new Set(own.features), new Set(bag.features)];
    const through: LentTermAnswer[] = [];
    for (const feature of common.features) {
      if (has.has(feature) && otherHas.has(feature)) continue;
      const { term, part } = await reads.feature(relation.id, feature);
      if (isOfLinks(part)) continue;
      const asked = [
        ...(has.has(feature) ? [] : mine.lenders),
        ...(otherHas.has(feature) ? [] : other.lenders),
      ];
      const bags = await Promise.all(asked.map((id) => pages.bag(id)));
      const lenders = asked.filter(
        (id, i) => id !== pageId && id !== self && bags[i]!.features.includes(feature),
      );
      if (lenders.length === 0) continue;
      const urls = await urlsOf(reads, [...new Set(lenders)].slice(0, SHOWN_PAGES));
      through.push({ term, part, urls });
      if (through.length === SHOWN_TERMS) break;
    }
    return through.length === 0 ? {} : { through };
  };
}
