import type { Part } from '../features/bag.ts';
import type { CollapsedRecord, Counts } from './page-record.ts';

const NONE: Counts = { keys: new Float64Array(0), tfs: new Uint32Array(0) };

/** The word counts of one page by part; where the profile says so, the title is a fragment of the anchor bag. */
export function partCounts(record: CollapsedRecord, titleInAnchor: boolean): Readonly<Record<Part, Counts>> {
  const title = record.page?.titleWords ?? NONE;
  return {
    content: record.page?.content ?? NONE,
    title,
    anchor: titleInAnchor ? sumCounts(record.anchor, title) : record.anchor,
  };
}

function sumCounts(a: Counts, b: Counts): Counts {
  if (b.keys.length === 0) return a;
  const sums = new Map<number, number>();
  for (const counts of [a, b]) {
    for (let i = 0; i < counts.keys.length; i++) {
      sums.set(counts.keys[i]!, (sums.get(counts.keys[i]!) ?? 0) + counts.tfs[i]!);
    }
  }
  return { keys: Float64Array.from(sums.keys()), tfs: Uint32Array.from(sums.values()) };
}
