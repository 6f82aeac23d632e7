import { PARTS, type Part } from '../features/bag.ts';
import { KeyTable } from '../lib/key-table.ts';
import { partCounts } from './part-counts.ts';
import type { WorkFolder } from './work-folder.ts';

/** The features that stay, by id: rarest first, then by part and key, so that ids depend on the pages alone. */
export interface FeatureTable {
  readonly parts: Uint8Array;
  readonly keys: Float64Array;
  readonly pageCounts: Uint32Array;
  /** Pages with at least one word in the part: the N of its idf. */
  readonly partPageCounts: Record<Part, number>;
}

export interface FrequencyBounds {
  readonly minPageCount: number;
  readonly maxPageShare: number;
}

/** In a collection this small a share says nothing: only words of every page are dropped. */
const SMALL_COLLECTION_PAGES = 20;

/**
 * Counts document frequencies by part and keeps what lies between the bounds. Where the tables would not
 * fit the budget the pages are read several times, each time for a share of the keys.
 */
export function countFrequencies(
  folder: WorkFolder,
  partNames: readonly Part[],
  titleInAnchor: boolean,
  bounds: FrequencyBounds,
  budgetBytes: number,
): FeatureTable {
  for (let passes = 1; ; passes *= 2) {
    const table = countInPasses(folder, partNames, titleInAnchor, bounds, passes, budgetBytes);
    if (table !== null) return table;
  }
}

function countInPasses(
  folder: WorkFolder,
  partNames: readonly Part[],
  titleInAnchor: boolean,
  bounds: FrequencyBounds,
  passes: number,
  budgetBytes: number,
): FeatureTable | null {
  const kept: { part: number; key: number; pageCount: number }[] = [];
  const partPageCounts: Record<Part, number> = { content: 0, title: 0, anchor: 0 };
  for (let pass = 0; pass < passes; pass++) {
    const tables = new Map(partNames.map((part) => [part, new KeyTable()]));
    for (const counts of partCounts(folder, titleInAnchor)) {
      for (const [part, table] of tables) {
        const { keys, length } = counts[part];
        if (pass === 0 && length > 0) partPageCounts[part]++;
        for (let i = 0; i < length; i++) {
          if (passes === 1 || (keys[i]! >>> 8) % passes === pass) table.add(keys[i]!, 1);
        }
      }
      if (passes < 1024 && tableBytes(tables) > budgetBytes) return null;
    }
    for (const [part, table] of tables) {
      const most = mostPages(partPageCounts[part], bounds.maxPageShare);
      for (const [key, pageCount] of table.entries()) {
        if (pageCount < bounds.minPageCount || pageCount > most) continue;
        kept.push({ part: PARTS.indexOf(part), key, pageCount });
      }
    }
  }
  kept.sort((a, b) => a.pageCount - b.pageCount || a.part - b.part || a.key - b.key);
  return {
    parts: Uint8Array.from(kept, (feature) => feature.part),
    keys: Float64Array.from(kept, (feature) => feature.key),
    pageCounts: Uint32Array.from(kept, (feature) => feature.pageCount),
    partPageCounts,
  };
}

function tableBytes(tables: Map<Part, KeyTable>): number {
  let sum = 0;
  for (const table of tables.values()) sum += table.sizeBytes;
  return sum;
}

function mostPages(pageCount: number, maxPageShare: number): number {
  return pageCount <= SMALL_COLLECTION_PAGES ? pageCount - 1 : Math.floor(pageCount * maxPageShare);
}
