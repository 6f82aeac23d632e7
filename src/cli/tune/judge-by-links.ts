import { LinkGraphBuilder, rowLength, rowOf } from '../../join/links/link-graph.ts';
import { mostShared, SharedLinksSearch } from '../../join/links/shared-links.ts';
import { Random } from '../../lib/random.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { folderOf, type Judge } from './judge.ts';
import { precisionBy } from './judge-by-labels.ts';

/** Pages most often cited together with a page that count as related to it. */
const NEAREST = 20;
/** Links to pages that more pages than that link to are menus. */
const MENU_SHARE = 0.05;
const MENU_PAGES = 20;

/**
 * Half of the pages that have links, by chance, whole folders at once: their links are held out, and judge. Pages of a
 * folder share menus, and what some of them cite says what the others do. A folder with most of them is divided by pages.
 */
export function citersHeldOut(reader: IndexReader, seed: number): number[] {
  const citers = [...reader.allLinks()].map(({ pageId }) => pageId);
  const folders = new Map(citers.map((page) => [page, folderOf(reader.page(page).url)]));
  const sizes = new Map<string, number>();
  for (const folder of folders.values()) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  const random = new Random(seed);
  const isOut = new Map<string, boolean>();
  return citers.filter((page) => {
    const folder = folders.get(page)!;
    const chance = random.below(2) === 0;
    if (sizes.get(folder)! > citers.length / 4) return chance;
    if (!isOut.has(folder)) isOut.set(folder, chance);
    return isOut.get(folder)!;
  });
}

/**
 * Pages are related that the same held-out pages cite: of each page the 20 of greatest Jaccard of citers.
 *
 * That one page links to the other does not count. Such pages often go together as a thing and its place do, and are
 * not alike: by it the order by votes loses where labels of subjects say that it gains. And the words of a link stand in
 * the page that it is on, so that it would judge by what is compared.
 */
export function judgeByLinks(
  reader: IndexReader,
  citers: readonly number[],
  fetched: readonly number[],
): Judge {
  const isCiter = marked(reader.pageCount, citers);
  const isFetched = marked(reader.pageCount, fetched);
  const inCounts = new Uint32Array(reader.pageCount);
  for (const { targets } of reader.allLinks()) for (const target of targets) inCounts[target]!++;
  const most = Math.max(MENU_PAGES, MENU_SHARE * fetched.length);
  const builder = new LinkGraphBuilder(reader.pageCount);
  for (const { pageId, targets } of reader.allLinks()) {
    if (isCiter[pageId] === 0) continue;
    builder.add(
      pageId,
      targets.filter((target) => target !== pageId && isFetched[target] === 1 && inCounts[target]! <= most),
    );
  }
  const graph = builder.graph();
  const search = new SharedLinksSearch(graph);
  const related = new Map<number, ReadonlySet<number>>();
  for (const page of fetched) {
    if (rowLength(graph.in, page) === 0) continue;
    const { ids } = mostShared(search.byCiters(rowOf(graph.in, page), page), NEAREST, null);
    if (ids.length > 0) related.set(page, new Set(ids));
  }
  return {
    name: 'links',
    measure: 'precision',
    pages: [...related.keys()],
    candidates: fetched,
    scorer: () => precisionBy((a, b) => related.get(a)!.has(b)),
    texts: null,
  };
}

function marked(length: number, ids: readonly number[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const id of ids) marks[id] = 1;
  return marks;
}
