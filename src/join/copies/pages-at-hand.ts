import type { SketchSource } from '../../sketch/sketch-source.ts';
import type { SketchTable } from '../../sketch/sketch-table.ts';
import type { CopyFacts } from './pair-checks.ts';
import type { ListedPages } from './shingle-join.ts';
import { CopyOverlaps, type ShingleJoinOptions, SketchComparison } from './sketch-comparison.ts';
import type { KeyParts } from './space/key-parts.ts';
import type { PagesAtHand } from './space/page-batches.ts';
import { markTemplates, type TemplateMarks, type Templates } from './template-shingles.ts';

/** What is known of all pages of a collection. */
export interface CopyFactSource extends Omit<CopyFacts, 'simhashes'> {
  /** Those of some pages, or of all, end to end; left out where there are none. */
  readonly simhashes?: (pages: Uint32Array | null) => Uint32Array;
}

/** All that a judgment of pairs asks of some pages, by their places in a table. */
export interface KnownPages {
  readonly table: SketchTable;
  readonly overlaps: CopyOverlaps;
  /** Null where templates count as any text. */
  readonly marks: TemplateMarks | null;
  readonly facts: CopyFacts;
}

/** Makes ready what is known of the pages at hand; of all pages once. */
export class PageKnowledge {
  readonly #parts: KeyParts;
  readonly #facts: CopyFactSource;
  readonly #join: ShingleJoinOptions;
  readonly #templates: Templates | null;
  readonly #minimumKeys: number;
  #whole: KnownPages | null = null;

  /** Shape  templates null: they count as any text. `parts`: the keys of the collection. */
  constructor(
    parts: KeyParts,
    facts: CopyFactSource,
    join: ShingleJoinOptions,
    templates: Templates | null,
    minimumKeys = 0,
  ) {
    this.#parts = parts;
    this.#facts = facts;
    this.#join = join;
    this.#templates = templates;
    this.#minimumKeys = minimumKeys;
  }

  of({ table, pages }: PagesAtHand): KnownPages {
    if (pages === null) return (this.#whole ??= this.#make(table, null));
    return this.#make(table, pages);
  }

  #make(table: SketchTable, pages: Uint32Array | null): KnownPages {
    const { siteOfPage, languageOfPage, simhashes } = this.#facts;
    const facts = {
      siteOfPage: chosen(siteOfPage, pages),
      ...(languageOfPage && { languageOfPage: chosen(languageOfPage, pages) }),
      ...(simhashes && { simhashes: simhashes(pages) }),
    };
    const numbered = pages === null ? (this.#parts.whole()?.numbered ?? null) : null;
    return {
      table,
      facts,
      overlaps: new CopyOverlaps(table, this.#join, numbered),
      marks:
        this.#templates === null
          ? null
          : markTemplates(table, facts.siteOfPage, this.#templates, this.#minimumKeys),
    };
  }
}

/** Compares pages by how they met. */
export function comparisonOf(
  { table, overlaps, marks }: KnownPages,
  pages: Uint32Array | null,
  join: ShingleJoinOptions,
  { limits, counts }: ListedPages,
): SketchComparison {
  const met = {
    listedLimits: chosen(limits, pages),
    crowdedOfPage: chosen(counts.crowdedOfPage, pages),
    ...(marks && { silentOfPage: silentCounts(marks) }),
  };
  return new SketchComparison(table, join, met, overlaps);
}

/** Template brings no pages together, but those that are hardly anything else. */
function silentCounts({ counts, isBare }: TemplateMarks): Uint32Array {
  return counts.map((count, page) => (isBare[page] === 1 ? 0 : count));
}

function chosen<Numbers extends Uint32Array | Float64Array>(
  numbers: Numbers,
  pages: Uint32Array | null,
): Numbers {
  if (pages === null) return numbers;
  const kind = numbers.constructor as new (length: number) => Numbers;
  const found = new kind(pages.length);
  for (const [i, page] of pages.entries()) found[i] = numbers[page]!;
  return found;
}

/** How many keys of each page are template, and which pages are hardly anything else; of all pages, block by block. */
export function markPages(
  source: SketchSource,
  knowledge: PageKnowledge,
  siteOfPage: Uint32Array,
  templates: Templates,
  minimumKeys: number,
): Omit<TemplateMarks, 'isTemplate'> {
  if (source.table !== null) return knowledge.of({ table: source.table, pages: null }).marks!;
  const { pageCount } = source;
  const counts = new Uint32Array(pageCount);
  const isBare = new Uint8Array(pageCount);
  const report = { ...NO_TEMPLATES };
  for (const { first, table } of source.blocks()) {
    const sites = siteOfPage.subarray(first, first + table.pageCount);
    const marks = markTemplates(table, sites, templates, minimumKeys);
    counts.set(marks.counts, first);
    isBare.set(marks.isBare, first);
    report.templateShingleCount = marks.report.templateShingleCount;
    report.templateEntryCount += marks.report.templateEntryCount;
    report.templatePageCount += marks.report.templatePageCount;
    report.barePageCount += marks.report.barePageCount;
  }
  return { counts, isBare, report };
}

export const NO_TEMPLATES: TemplateMarks['report'] = {
  templateShingleCount: 0,
  templateEntryCount: 0,
  templatePageCount: 0,
  barePageCount: 0,
};
