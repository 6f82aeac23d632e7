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
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import { type SketchTable, sketchAt } from '../../sketch/sketch-table.ts';
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

/** Template keys by site, ascending; sites without any are left out. */
export type Templates = ReadonlyMap<number, Float64Array>;

/**
 * The same table without template keys.
 *
 * Shape  siteOfPage Uint32Array(n), any numbers.
 */
export function withoutTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  options: TemplateOptions = DEFAULT_TEMPLATE,
): { table: SketchTable; templates: Templates; report: TemplateReport } {
  const templates = findTemplates(table, siteOfPage, options);
  return { templates, ...stripTemplates(table, siteOfPage, templates, options.minimumKeys) };
}

/**
 * The keys that are template on each site, found in `partCount` parts by key that leave no trace.
 *
 * Cost  memory of a part: 36 bytes a key.
 */
export function findTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  options: TemplateOptions = DEFAULT_TEMPLATE,
  partCount = 1,
): Templates {
  const reach = limitsBySite(table, siteOfPage);
  const found = new Map<number, number[]>();
  for (let part = 0; part < partCount; part++) {
    const { keys, owner } = keysOfPart(table, part, partCount);
    const { order, starts } = groupByKey(keys);
    const countOfSite = new Map<number, number>();
    for (let group = 0; group + 1 < starts.length; group++) {
      if (starts[group + 1]! - starts[group]! < options.minimumPages) continue;
      const members = order.subarray(starts[group]!, starts[group + 1]!);
      const key = keys[members[0]!]!;
      countOfSite.clear();
      for (const entry of members) {
        const site = siteOfPage[owner[entry]!]!;
        countOfSite.set(site, (countOfSite.get(site) ?? 0) + 1);
      }
      for (const [site, count] of countOfSite) {
        const reached = countAbove(reach.get(site)!, key);
        if (count < options.minimumPages || count <= options.share * reached) continue;
        const known = found.get(site);
        if (known === undefined) found.set(site, [key]);
        else known.push(key);
      }
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([site, keys]) => [site, Float64Array.from(keys).sort()]));
}

/** The limits of the sketches of each site, ascending. */
function limitsBySite(
  { pageCount, limits }: SketchTable,
  siteOfPage: Uint32Array,
): Map<number, Float64Array> {
  const lists = new Map<number, number[]>();
  for (let page = 0; page < pageCount; page++) {
    const known = lists.get(siteOfPage[page]!);
    if (known === undefined) lists.set(siteOfPage[page]!, [limits[page]!]);
    else known.push(limits[page]!);
  }
  return new Map(Array.from(lists, ([site, list]) => [site, Float64Array.from(list).sort()]));
}

function keysOfPart(table: SketchTable, part: number, partCount: number) {
  const isOfPart = (key: number) => partCount === 1 || (key >>> 0) % partCount === part;
  let count = 0;
  for (const key of table.keys) if (isOfPart(key)) count++;
  const keys = new Float64Array(count);
  const owner = new Uint32Array(count);
  let at = 0;
  for (let page = 0; page < table.pageCount; page++) {
    for (let i = table.offsets[page]!; i < table.offsets[page + 1]!; i++) {
      if (!isOfPart(table.keys[i]!)) continue;
      keys[at] = table.keys[i]!;
      owner[at++] = page;
    }
  }
  return { keys, owner };
}

/** Takes known template keys out. The keys left are written to `kept`, which may be those of the table itself. */
export function stripTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  templates: Templates,
  minimumKeys: number = DEFAULT_TEMPLATE.minimumKeys,
  kept: Float64Array = new Float64Array(table.keys.length),
): { table: SketchTable; report: TemplateReport } {
  const { pageCount, keys } = table;
  const keptOffsets = new Float64Array(pageCount + 1);
  const shingleCounts = table.shingleCounts.slice();
  let size = 0;
  let strippedPageCount = 0;
  let sparedPageCount = 0;
  for (let page = 0; page < pageCount; page++) {
    const own = sketchAt(table, page);
    const template = templates.get(siteOfPage[page]!);
    const left = template === undefined ? own : stripSketch(own, template, minimumKeys);
    if (left.keys.length < own.keys.length) {
      strippedPageCount++;
      shingleCounts[page] = left.shingleCount;
    } else if (template !== undefined && own.keys.length > 0 && sharesAny(own.keys, template)) {
      sparedPageCount++;
    }
    kept.set(left.keys, size);
    size += left.keys.length;
    keptOffsets[page + 1] = size;
  }
  let templateShingleCount = 0;
  for (const template of templates.values()) templateShingleCount += template.length;
  return {
    table: {
      pageCount,
      offsets: keptOffsets,
      keys: kept.subarray(0, size),
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

/** A sketch without the template keys of its site; the same where fewer than `minimumKeys` would be left. */
export function stripSketch(
  sketch: ShingleSketch,
  template: Float64Array,
  minimumKeys: number = DEFAULT_TEMPLATE.minimumKeys,
): ShingleSketch {
  const { keys } = sketch;
  const kept = new Float64Array(keys.length);
  let size = 0;
  let at = 0;
  for (const key of keys) {
    at = firstNotBelow(template, key, at);
    if (template[at] !== key) kept[size++] = key;
  }
  if (size === keys.length || size < minimumKeys) return sketch;
  return {
    keys: kept.slice(0, size),
    limit: sketch.limit,
    shingleCount: Math.round((sketch.shingleCount * size) / keys.length),
  };
}

function sharesAny(keys: Float64Array, template: Float64Array): boolean {
  let at = 0;
  return keys.some((key) => {
    at = firstNotBelow(template, key, at);
    return template[at] === key;
  });
}

/** Place of the first of ascending `keys` from `from` on that is not below `key`: galloping, then halving. */
function firstNotBelow(keys: Float64Array, key: number, from: number): number {
  let low = from;
  let step = 1;
  while (low + step <= keys.length && keys[low + step - 1]! < key) {
    low += step;
    step *= 2;
  }
  let high = Math.min(keys.length, low + step - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
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
