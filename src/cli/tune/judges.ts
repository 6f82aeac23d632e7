/**
 * Who says what is related, where `akin tune` compares settings: labels of pages, or what the collection itself offers.
 *
 *   labels     pages that share one
 *   links      pages of which one links to the other. What two pages share by parts (words, pages that they link to or
 *              are linked from) is never the link between the two itself, so the judge is held out by its nature
 *   sections   pages of the same folder of the same host, by their URLs; rewards what the frame of a section repeats
 *
 * Menus link to and from nearly all pages: links to pages that more than a twentieth of all pages link to do not count.
 */
import { InputError } from '../../errors.ts';
import type { Labels } from '../../evaluate/relevance.ts';
import type { IndexReader } from '../../store/read/reader.ts';

export const JUDGE_NAMES = ['links', 'sections'] as const;
export type JudgeName = (typeof JUDGE_NAMES)[number] | 'labels';

export interface Judge {
  readonly name: JudgeName;
  /** Pages that have a related page by this judge. */
  readonly pages: readonly number[];
  /** Whether two of these pages are related. */
  readonly isRelated: (a: number, b: number) => boolean;
}

const MENU_SHARE = 0.05;
const MENU_PAGES = 20;
/** A judge of fewer pages than this, and of a smaller share of all fetched pages, says little. */
const LEAST_PAGES = 50;
const LEAST_SHARE = 0.2;

export function judgeByLabels(labels: Labels<number>): Judge {
  const counts = new Map<string, number>();
  for (const own of labels.values()) for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1);
  const pages = [...labels].filter(([, own]) => [...own].some((label) => counts.get(label)! > 1));
  return {
    name: 'labels',
    pages: pages.map(([page]) => page).sort((a, b) => a - b),
    isRelated: (a, b) => !labels.get(a)!.isDisjointFrom(labels.get(b)!),
  };
}

/**
 * The judge by its name, or with null the first of `JUDGE_NAMES` that knows enough of the pages.
 *
 * Errors  InputError AKIN_ERR_OPTION where it knows too few.
 */
export function judgeOfCollection(reader: IndexReader, name: (typeof JUDGE_NAMES)[number] | null): Judge {
  const least = Math.max(LEAST_PAGES, LEAST_SHARE * reader.card().fetchedPageCount);
  const counted: string[] = [];
  for (const candidate of name === null ? JUDGE_NAMES : [name]) {
    const judge = candidate === 'links' ? judgeByLinks(reader) : judgeBySections(reader);
    if (judge.pages.length >= least) return judge;
    counted.push(`${judge.pages.length} by ${candidate}`);
  }
  throw new InputError(
    'AKIN_ERR_OPTION',
    `${reader.path} itself says too little of which pages are related: pages with a related page, ${counted.join(', ')}`,
    { hint: `give labels of at least ${LEAST_PAGES} pages: --labels TSV` },
  );
}

function judgeByLinks(reader: IndexReader): Judge {
  const isFetched = fetchedPages(reader);
  const inCounts = new Uint32Array(reader.pageCount);
  for (const { targets } of reader.allLinks()) for (const target of targets) inCounts[target]!++;
  const most = Math.max(MENU_PAGES, MENU_SHARE * reader.card().fetchedPageCount);
  const linked = new Map<number, Set<number>>();
  const join = (a: number, b: number) => {
    const own = linked.get(a);
    if (own === undefined) linked.set(a, new Set([b]));
    else own.add(b);
  };
  for (const { pageId, targets } of reader.allLinks()) {
    for (const target of targets) {
      if (target === pageId || !isFetched[target] || !isFetched[pageId] || inCounts[target]! > most) continue;
      join(pageId, target);
      join(target, pageId);
    }
  }
  return {
    name: 'links',
    pages: [...linked.keys()].sort((a, b) => a - b),
    isRelated: (a, b) => linked.get(a)!.has(b),
  };
}

/** A section with most of the pages tells none apart. */
function judgeBySections(reader: IndexReader): Judge {
  const isFetched = fetchedPages(reader);
  const sections = new Map<number, ReadonlySet<string>>();
  const sizes = new Map<string, number>();
  for (const { id, url } of reader.pages()) {
    if (!isFetched[id]) continue;
    const section = url.replace(/[?#].*$/, '').replace(/[^/]*$/, '');
    sections.set(id, new Set([section]));
    sizes.set(section, (sizes.get(section) ?? 0) + 1);
  }
  const tooLarge = sections.size / 2;
  for (const [page, [section]] of sections) if (sizes.get(section!)! > tooLarge) sections.delete(page);
  return { ...judgeByLabels(sections), name: 'sections' };
}

function fetchedPages(reader: IndexReader): Uint8Array {
  return Uint8Array.from(reader.pages(), ({ fetched }) => (fetched ? 1 : 0));
}
