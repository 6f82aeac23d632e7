import type { NeighbourSpan } from '../catalog.ts';
import type { Generation } from '../generation.ts';
import { containmentOfResult, copyFigures, EQUAL } from './copy-figures.ts';
import type { CurrentText } from './copy-source.ts';
import type { Subject } from './page-filter.ts';
import { similarityText } from './similarity-text.ts';

/** The items of a list of copies: as of any list, and with the containment of each in the other. */
export function copyItemsJson(
  { catalog }: Generation,
  subject: Subject,
  { ids, shared, total, start, end }: NeighbourSpan,
  asked: CurrentText,
  textOf: (pageId: number) => CurrentText,
): string {
  const items: string[] = [];
  for (let at = start; at < end; at++) {
    const pageId = ids[at]!;
    const result = textOf(pageId);
    // Pages of one shingle set are neighbours though nothing is left of them without their template.
    const isEqual = asked.shingleDigest !== null && asked.shingleDigest === result.shingleDigest;
    const figures = isEqual ? EQUAL : copyFigures(asked.sketch, result.sketch);
    items.push(
      `${catalog.item(pageId)}${similarityText(shared[at]!, total[at]!)},"measure":"${figures.measure}"` +
        `,"containment":${JSON.stringify(containmentOfResult(figures))},"same_site":${subject.sameSite(pageId)}}`,
    );
  }
  return items.join(',');
}
