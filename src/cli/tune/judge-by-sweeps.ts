import type { LooseText } from '../../indexer/tune/count-pages.ts';
import { overlapOf, resemblance } from '../../sketch/resemblance.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { type Judge, K } from './judge.ts';

/** A text as near as that finds its page by anything. */
const SAME = 0.9;

/**
 * An earlier text of a page is to find the page as it is now: the oldest one that differs from it, or the last one of a
 * page that is gone and leads here. The score is the reciprocal rank of the page, 0 beyond the first ten.
 *
 * Earlier links of a page are not stored, so the earlier text asks by its words alone: this judges shares of words and
 * how counts become weights. Parts by links gain nothing by it but room.
 */
export function judgeBySweeps(reader: IndexReader, fetched: readonly number[]): Judge {
  const isFetched = new Set(fetched);
  const texts = new Map<number, LooseText>();
  for (const page of fetched) take(reader, page, page, 'oldest', texts);
  for (const [gone, page] of reader.successors()) {
    if (isFetched.has(page)) take(reader, gone, page, 'last', texts);
  }
  return {
    name: 'sweeps',
    measure: 'reciprocal rank',
    pages: [...texts.keys()].sort((a, b) => a - b),
    candidates: fetched,
    scorer: () => (page, list) => {
      const place = list.slice(0, K).indexOf(page);
      return place < 0 ? 0 : 1 / (place + 1);
    },
    texts,
  };
}

/** Notes for `page` an earlier text of `source`, if there is one that differs from what `page` is now. */
function take(
  reader: IndexReader,
  source: number,
  page: number,
  which: 'oldest' | 'last',
  texts: Map<number, LooseText>,
): void {
  const { versions } = reader;
  const current = versions.current(page);
  const captures = reader.captures(source);
  const ids = captures.map(({ versionId }) => versionId);
  if (current < 0 || ids.every((id) => id === current)) return;
  const now = versions.sketchOf(current).sketch;
  const differs = (id: number) =>
    id >= 0 && id !== current && resemblance(overlapOf(versions.sketchOf(id).sketch, now)).value < SAME;
  const found = which === 'oldest' ? ids.find(differs) : ids.findLast(differs);
  const text = found === undefined ? null : versions.text(found);
  if (text === null) return;
  const isPlain = captures.find(({ versionId }) => versionId === found)!.mediaType === 'text/plain';
  texts.set(page, { ...text, isPlain, lang: reader.page(source).lang ?? reader.page(page).lang });
}
