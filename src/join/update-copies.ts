/**
 * The copy relation kept true while some pages change.
 *
 *   changed pages --lowest keys--> pages that share some --join with the changed--> pairs
 *     --> components that lose or gain a page --join anew, each whole--> their pairs
 *
 * A pair never leaves its component, so what lies in no such component stays as it is. Components are joined anew
 * whole, as one that loses a page may fall apart.
 *
 * Equal to a join over all pages but for one thing: whether a shingle is in too many pages to find candidates is
 * counted over the pages that are joined. A pair that shares no other shingle may be found here, and not there.
 * Cost  one look at the candidate keys of every page; else the pairs of the components touched.
 */
import { KeyTable } from '../lib/key-table.ts';
import { type SketchTable, tableOfPages } from '../sketch/sketch-table.ts';
import { checkPairs, type PageFacts } from './copies/pair-checks.ts';
import { type CopyPairs, joinShingles, type ShingleJoinOptions } from './copies/shingle-join.ts';

export interface CopyUpdateOptions {
  readonly join: ShingleJoinOptions;
  readonly sameSiteAgreement: number;
  readonly sure: number;
}

export interface CopyUpdate {
  /** Pages whose components were joined anew, the changed ones included, ascending. */
  readonly touched: Uint32Array;
  /** All pairs of the pages touched. */
  readonly pairs: CopyPairs;
}

/**
 * Shape  componentOfPage Int32Array(n): any number a former component has, -1 for a page that was alone;
 *        former: components that a page has left.
 */
export function updateCopies(
  table: SketchTable,
  facts: PageFacts,
  componentOfPage: Int32Array,
  changed: ReadonlySet<number>,
  former: Iterable<number>,
  options: CopyUpdateOptions,
): CopyUpdate {
  const near = pagesSharing(table, changed, options.join.candidateKeys);
  const found = joinPages(table, near, facts, options, changed);
  const formerComponents = new Set(former);
  const touched = new Set(changed);
  for (const page of [...changed, ...found.a, ...found.b]) {
    touched.add(page);
    if (componentOfPage[page]! >= 0) formerComponents.add(componentOfPage[page]!);
  }
  for (let page = 0; page < table.pageCount; page++) {
    if (formerComponents.has(componentOfPage[page]!)) touched.add(page);
  }
  const pages = Uint32Array.from(touched).sort();
  return { touched: pages, pairs: joinPages(table, pages, facts, options) };
}

/** The changed pages, and those that have one of their candidate keys among their own; ascending. */
function pagesSharing(
  { pageCount, offsets, keys }: SketchTable,
  changed: ReadonlySet<number>,
  candidateKeys: number,
): Uint32Array {
  const wanted = new KeyTable();
  const endOf = (page: number) => Math.min(offsets[page + 1]!, offsets[page]! + candidateKeys);
  for (const page of changed) for (let i = offsets[page]!; i < endOf(page); i++) wanted.set(keys[i]!, 1);
  const found: number[] = [];
  for (let page = 0; page < pageCount; page++) {
    const end = endOf(page);
    let i = changed.has(page) ? end : offsets[page]!;
    while (i < end && !wanted.has(keys[i]!)) i++;
    if (i < end || changed.has(page)) found.push(page);
  }
  return Uint32Array.from(found);
}

/** Checked pairs among some pages, those with one of `only` where it is given. */
function joinPages(
  table: SketchTable,
  pages: Uint32Array,
  facts: PageFacts,
  { join, sameSiteAgreement, sure }: CopyUpdateOptions,
  only?: ReadonlySet<number>,
): CopyPairs {
  const isWanted = only && Uint8Array.from(pages, (page) => (only.has(page) ? 1 : 0));
  const { pairs } = joinShingles(tableOfPages(table, pages), join, isWanted);
  const named = { ...pairs, a: pairs.a.map((i) => pages[i]!), b: pairs.b.map((i) => pages[i]!) };
  return checkPairs(named, facts, sameSiteAgreement, sure).pairs;
}
