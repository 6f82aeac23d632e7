/**
 * Shingles that recur over a site are its template, not the text of its pages. Figures are those of whole texts; what is
 * template decides which pages are compared, and which pairs are copies: a pair counts where it reaches
 * the threshold with and without the template that both pages have.
 *
 *   shared keys   | template on both sites: t |  others  |      whole:    shared       / all
 *                                                               without: (shared - t) / (all - t)
 *
 * A key counts as template on a site where more than `share` of the pages whose sketches reach that far have it, and at
 * least `minimumPages` do. A page that is hardly anything else (fewer than `minimumKeys` others, or a tenth) is bare: an
 * empty page of a site is a copy of the other empty pages, and two bare pages resemble each other by .82 or more.
 * The mirror of a page on a site that has no template shares none, so what it has in common with the page counts whole.
 *
 * Measured     uci-crawl: of 102,638 labeled pairs one is left out. If template brought pages together, 735,000 pairs more
 *              would be compared and left out: none labeled, all but 20 below a tenth of resemblance in their own text.
 * Breaks down  a site most of whose pages are copies of one page, each with more than a tenth of its own: what they share
 *              counts as template. Fold equal pages first.
 * Source       document frequency per site after Henzinger, SIGIR 2006, who finds same-site pairs to be
 *              the weak spot of shingles.
 */
import { groupBy, membersOf } from '../../lib/groups.ts';
import { ALONE, type NumberedKeys, numberRepeated } from '../../sketch/marked-keys.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';

export interface TemplateOptions {
  readonly share: number;
  readonly minimumPages: number;
  readonly minimumKeys: number;
}

export const DEFAULT_TEMPLATE: TemplateOptions = { share: 0.3, minimumPages: 10, minimumKeys: 8 };

/** A page with a smaller share of keys that are not template is bare. */
const LEAST_OWN_SHARE = 0.1;

/** Template keys by site, ascending; sites without any are left out. */
export type Templates = ReadonlyMap<number, Float64Array>;

/** Which keys of a collection are template on the site of their page. */
export interface TemplateMarks {
  /** Uint8Array(keys): 1 where the key is. */
  readonly isTemplate: Uint8Array;
  /** Uint32Array(n): how many of each page are. */
  readonly counts: Uint32Array;
  /** Uint8Array(n): 1 for a page that is hardly anything else. */
  readonly isBare: Uint8Array;
  readonly report: TemplateReport;
}

export interface TemplateReport {
  /** Keys that are template on some site, counted once a site. */
  readonly templateShingleCount: number;
  readonly templateEntryCount: number;
  /** Pages that have template keys, and those among them that are bare. */
  readonly templatePageCount: number;
  readonly barePageCount: number;
}

/**
 * The keys that are template on each site, where `minimumPages` is 2 or more. `numbered`: the keys of the table.
 *
 * Cost  a pass over the keys of each site, and 4 bytes for each that comes more than once.
 */
export function findTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  { share, minimumPages }: TemplateOptions = DEFAULT_TEMPLATE,
  { numbers, count }: NumberedKeys = numberRepeated(table.keys),
): Templates {
  const { offsets, keys, limits } = table;
  const templates = new Map<number, Float64Array>();
  const counts = new Uint32Array(count + 1);
  /** Of each key that is frequent on the site at hand, where it stands in `keys` on one of its pages. */
  const frequent = new Uint32Array(count);
  const countPages = (pages: Uint32Array) => {
    let size = 0;
    for (const page of pages) {
      for (let i = offsets[page]!; i < offsets[page + 1]!; i++) {
        if (++counts[numbers[i]!]! === minimumPages && numbers[i] !== ALONE) frequent[size++] = i;
      }
    }
    return frequent.subarray(0, size);
  };
  const forget = (pages: Uint32Array) => {
    for (const page of pages) {
      for (let i = offsets[page]!; i < offsets[page + 1]!; i++) counts[numbers[i]!] = 0;
    }
  };
  const siteCount = siteOfPage.reduce((most, site) => Math.max(most, site + 1), 0);
  const bySite = groupBy(siteOfPage, siteCount);
  for (let site = 0; site < siteCount; site++) {
    const pages = membersOf(bySite, site);
    if (pages.length < minimumPages) continue;
    const reach = Float64Array.from(pages, (page) => limits[page]!).sort();
    const found = Array.from(countPages(pages)).filter(
      (i) => counts[numbers[i]!]! > share * countAbove(reach, keys[i]!),
    );
    forget(pages);
    if (found.length > 0) templates.set(site, Float64Array.from(found, (i) => keys[i]!).sort());
  }
  return templates;
}

/** Marks what is template in each sketch. Shape  siteOfPage Uint32Array(n), any numbers. */
export function markTemplates(
  table: SketchTable,
  siteOfPage: Uint32Array,
  templates: Templates,
  minimumKeys: number = DEFAULT_TEMPLATE.minimumKeys,
): TemplateMarks {
  const isTemplate = new Uint8Array(table.keys.length);
  const counts = new Uint32Array(table.pageCount);
  const isBare = new Uint8Array(table.pageCount);
  let templateEntryCount = 0;
  let templatePageCount = 0;
  let barePageCount = 0;
  const mark = (page: number) => {
    const template = templates.get(siteOfPage[page]!);
    if (template === undefined) return;
    const [from, to] = [table.offsets[page]!, table.offsets[page + 1]!];
    const count = markKeys(table.keys.subarray(from, to), template, isTemplate.subarray(from, to));
    counts[page] = count;
    if (count === 0) return;
    templateEntryCount += count;
    templatePageCount++;
    if (!isBareOf(to - from, count, minimumKeys)) return;
    isBare[page] = 1;
    barePageCount++;
  };
  for (let page = 0; page < table.pageCount; page++) mark(page);
  let templateShingleCount = 0;
  for (const template of templates.values()) templateShingleCount += template.length;
  return {
    isTemplate,
    counts,
    isBare,
    report: { templateShingleCount, templateEntryCount, templatePageCount, barePageCount },
  };
}

/** A sketch, and what of it is template. */
export interface MarkedSketch extends ShingleSketch {
  /** Uint8Array(keys) */
  readonly isTemplate: Uint8Array;
  readonly isBare: boolean;
}

/** The marks of one sketch by the template of a site, empty where there is none. */
export function markSketch(
  sketch: ShingleSketch,
  template: Float64Array,
  minimumKeys: number = DEFAULT_TEMPLATE.minimumKeys,
): MarkedSketch {
  const isTemplate = new Uint8Array(sketch.keys.length);
  const count = template.length === 0 ? 0 : markKeys(sketch.keys, template, isTemplate);
  return {
    keys: sketch.keys,
    limit: sketch.limit,
    shingleCount: sketch.shingleCount,
    isTemplate,
    isBare: count > 0 && isBareOf(sketch.keys.length, count, minimumKeys),
  };
}

/** The page of a table with its marks, sharing their memory. */
export function markedAt(
  table: SketchTable,
  { isTemplate, isBare }: TemplateMarks,
  page: number,
): MarkedSketch {
  const [from, to] = [table.offsets[page]!, table.offsets[page + 1]!];
  return {
    keys: table.keys.subarray(from, to),
    limit: table.limits[page]!,
    shingleCount: table.shingleCounts[page]!,
    isTemplate: isTemplate.subarray(from, to),
    isBare: isBare[page] === 1,
  };
}

/** Keys that two pages share and that are template on the sites of both, below their common limit; none of two bare pages. */
export function sharedTemplate(a: MarkedSketch, b: MarkedSketch): number {
  if (a.isBare && b.isBare) return 0;
  const limit = Math.min(a.limit, b.limit);
  let shared = 0;
  for (let i = 0, j = 0; i < a.keys.length && j < b.keys.length; ) {
    const left = a.keys[i]!;
    const right = b.keys[j]!;
    if (left >= limit || right >= limit) break;
    if (left === right) shared += a.isTemplate[i]! & b.isTemplate[j]!;
    i += left <= right ? 1 : 0;
    j += right <= left ? 1 : 0;
  }
  return shared;
}

/** Sets to 1 what of ascending keys is template; returns how many. */
function markKeys(keys: Float64Array, template: Float64Array, isTemplate: Uint8Array): number {
  let count = 0;
  let at = 0;
  for (let i = 0; i < keys.length; i++) {
    at = firstNotBelow(template, keys[i]!, at);
    if (template[at] !== keys[i]) continue;
    isTemplate[i] = 1;
    count++;
  }
  return count;
}

function isBareOf(keyCount: number, templateCount: number, minimumKeys: number): boolean {
  const own = keyCount - templateCount;
  return own < minimumKeys || own < LEAST_OWN_SHARE * keyCount;
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
