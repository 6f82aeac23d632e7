import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import type { JsonWriter } from '../http/json-writer.ts';
import { containmentOfResult, copyFigures, EQUAL } from './copy-figures.ts';
import type { CurrentText } from './copy-source.ts';
import type { Subject } from './page-filter.ts';

/** The items of a list of copies: as of any list, and with the containment of each in the other. */
export function writeCopyItems(
  json: JsonWriter,
  { catalog }: Generation,
  subject: Subject,
  { ids, shared, total, start, end }: NeighbourSpan,
  asked: CurrentText,
  textOf: (pageId: number) => CurrentText,
): void {
  for (let at = start; at < end; at++) {
    const pageId = ids[at]!;
    const result = textOf(pageId);
    // Pages of one shingle set are neighbours though nothing is left of them without their template.
    const isEqual = asked.shingleDigest !== null && asked.shingleDigest === result.shingleDigest;
    const figures = isEqual ? EQUAL : copyFigures(asked.sketch, result.sketch);
    json.text(at > start ? ',{' : '{');
    catalog.writeItem(json, pageId);
    json
      .similarity(shared[at]!, total[at]!)
      .text(`,"measure":"${figures.measure}"`)
      .text(`,"containment":${JSON.stringify(containmentOfResult(figures))}`)
      .text(`,"same_site":${subject.sameSite(pageId)}}`);
  }
}
