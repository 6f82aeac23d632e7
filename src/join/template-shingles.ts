/**
 * Shingles that recur over a site are its template, not the text of its pages: they are taken out of the
 * sketches, so that pages are not called copies for their menus.
 *
 * A key counts as template on a site where more than `share` of the pages whose sketches reach that far
 * have it, and at least `minimumPages` do. What is left is an honest sample of the page without its
 * template. A page that has fewer than `minimumKeys` keys left keeps them all: an empty page of a site is a
 * copy of the other empty pages.
 *
 * Breaks down  a site most of whose pages are copies of one page: fold equal pages first, and the copies
 *              that are not quite equal still lose what they share.
 * Source       document frequency per site after Henzinger, SIGIR 2006, who finds same-site pairs to be
 *              the weak spot of shingles.
 */
import type { SketchTable } from '../sketch/sketch-table.ts';
import { groupByKey } from './key-groups.ts';

export interface TemplateOptions {
  readonly share: number;
  readonly minimumPages: number;
  readonly minimumKeys: number;
}

export const DEFAULT_TEMPLATE: TemplateOptions = { share: 0.3, minimumPages: 10, minimumKeys: 8 };

export interface TemplateReport {
  /** Keys that are template on some site, counted once a site. */
  readonly templateShingleCount: number;
  readonly removedEntryCount: number;
  /** Pages that lost keys, and pages left whole for having little else. */
  readonly strippedPageCount: number;
  readonly sparedPageCount: number;
}

/**
 * The same table without template keys.
 *
 * Shape  siteOfPage Uint32Array(n), any numbers.
 */
export function withoutTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  options: TemplateOptions = DEFAULT_TEMPLATE,
): { table: SketchTable; report: TemplateReport } {
  const { pageCount, offsets, keys, limits } = table;
  const owner = new Uint32Array(keys.length);
  for (let page = 0; page < pageCount; page++) owner.fill(page, offsets[page]!, offsets[page + 1]!);
  const limitsOfSite = new Map<number, number[]>();
  for (let page = 0; page < pageCount; page++) {
    const known = limitsOfSite.get(siteOfPage[page]!);
    if (known === undefined) limitsOfSite.set(siteOfPage[page]!, [limits[page]!]);
    else known.push(limits[page]!);
  }
  const ascendingLimits = new Map<number, Float64Array>();
  for (const [site, list] of limitsOfSite) ascendingLimits.set(site, Float64Array.from(list).sort());

  const isTemplate = new Uint8Array(keys.length);
  let templateShingleCount = 0;
  const { order, starts } = groupByKey(keys);
  const countOfSite = new Map<number, number>();
  for (let group = 0; group + 1 < starts.length; group++) {
    if (starts[group + 1]! - starts[group]! < options.minimumPages) continue;
    const members = order.subarray(starts[group]!, starts[group + 1]!);
    countOfSite.clear();
    for (const entry of members) {
      const site = siteOfPage[owner[entry]!]!;
      countOfSite.set(site, (countOfSite.get(site) ?? 0) + 1);
    }
    for (const [site, count] of countOfSite) {
      const reach = countAbove(ascendingLimits.get(site)!, keys[members[0]!]!);
      if (count < options.minimumPages || count <= options.share * reach) countOfSite.delete(site);
    }
    templateShingleCount += countOfSite.size;
    if (countOfSite.size === 0) continue;
    for (const entry of members) if (countOfSite.has(siteOfPage[owner[entry]!]!)) isTemplate[entry] = 1;
  }
  return strip(table, isTemplate, templateShingleCount, options);
}

function strip(
  table: SketchTable,
  isTemplate: Uint8Array,
  templateShingleCount: number,
  options: TemplateOptions,
): { table: SketchTable; report: TemplateReport } {
  const { pageCount, offsets, keys } = table;
  const kept = new Float64Array(keys.length);
  const keptOffsets = new Float64Array(pageCount + 1);
  const shingleCounts = table.shingleCounts.slice();
  let size = 0;
  let strippedPageCount = 0;
  let sparedPageCount = 0;
  for (let page = 0; page < pageCount; page++) {
    const from = offsets[page]!;
    const to = offsets[page + 1]!;
    let templates = 0;
    for (let i = from; i < to; i++) templates += isTemplate[i]!;
    const spared = templates > 0 && to - from - templates < options.minimumKeys;
    if (spared) sparedPageCount++;
    else if (templates > 0) {
      strippedPageCount++;
      shingleCounts[page] = Math.round((shingleCounts[page]! * (to - from - templates)) / (to - from));
    }
    for (let i = from; i < to; i++) if (spared || isTemplate[i] === 0) kept[size++] = keys[i]!;
    keptOffsets[page + 1] = size;
  }
  return {
    table: {
      pageCount,
      offsets: keptOffsets,
      keys: kept.slice(0, size),
      limits: table.limits,
      shingleCounts,
    },
    report: {
      templateShingleCount,
      removedEntryCount: keys.length - size,
      strippedPageCount,
      sparedPageCount,
    },
  };
}

/** How many of ascending limits are greater than `key`. */
function countAbove(limits: Float64Array, key: number): number {
  let low = 0;
  let high = limits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (limits[middle]! > key) high = middle;
    else low = middle + 1;
  }
  return limits.length - low;
}
