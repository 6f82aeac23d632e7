/**
 * Copies of a page of the index, all of them: for the rare list that was cut at the index's limit. Pairs are
 * judged as `join/copies/copy-relation.ts` judges them: without templates, and with a second opinion on pairs of
 * one host and of two languages.
 */
import { storedFraction } from '../../join/copies/copy-relation.ts';
import { overlapOf } from '../../sketch/resemblance.ts';
import { simhashAgreement } from '../../sketch/word-simhash.ts';
import type { StoredPage } from '../../store/records.ts';
import { hostOf } from '../../url/site.ts';
import type { NeighbourSpan } from '../held/catalog.ts';
import type { Generation } from '../held/generation.ts';
import { currentPages, type FoundCopy, spanOf, versionsSharing } from './copy-search.ts';
import { type CopySource, type CurrentText, currentText, ownText } from './copy-source.ts';
import type { Accept } from './page-filter.ts';

/** Nearest first, ties by page id; the page itself left out. */
export function copiesOfPage(
  generation: Generation,
  source: CopySource,
  pageId: number,
  accept: Accept | null,
): NeighbourSpan {
  const { reader } = generation;
  const page = reader.page(pageId);
  const own = ownText(generation, source, pageId);
  const found: FoundCopy[] = [];
  for (const versionId of versionsSharing(source, currentText(source, pageId).sketch)) {
    for (const otherId of currentPages(source, versionId)) {
      if (otherId === pageId || (accept !== null && !accept(otherId))) continue;
      const other = ownText(generation, source, otherId);
      if (other.shingleDigest === own.shingleDigest) {
        found.push({ pageId: otherId, shared: 1, total: 1 });
        continue;
      }
      const { shared, ofA, ofB } = overlapOf(own.sketch, other.sketch);
      const total = ofA + ofB - shared;
      if (shared < source.relation.floor * total) continue;
      const second = shared < source.parameters.sure * total;
      if (isDoubtful(source, page, own, reader.page(otherId), other, second)) continue;
      found.push({ pageId: otherId, ...storedFraction(shared, total) });
    }
  }
  return spanOf(found);
}

function isDoubtful(
  { parameters }: CopySource,
  page: StoredPage,
  text: CurrentText,
  otherPage: StoredPage,
  otherText: CurrentText,
  second: boolean,
): boolean {
  if (page.lang !== null && otherPage.lang !== null && page.lang !== otherPage.lang) return true;
  if (!second || text.simhash === null || otherText.simhash === null) return false;
  if (hostOf(page.url) !== hostOf(otherPage.url)) return false;
  return simhashAgreement(text.simhash, otherText.simhash) < parameters.same_site_agreement;
}
