import { optionFault } from '../../errors.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { folderOf, type Judge, LEAST_PAGES, OWN_JUDGES, type OwnJudgeName } from './judge.ts';
import { judgeByLabels } from './judge-by-labels.ts';
import { citersHeldOut, judgeByLinks } from './judge-by-links.ts';
import { judgeBySweeps } from './judge-by-sweeps.ts';

/** Links and sections of a smaller share of all fetched pages say little. */
const LEAST_SHARE = 0.2;

/** The judges that a collection offers. */
export interface OwnJudges {
  readonly judge: Judge;
  /** The others that know enough: they may object. */
  readonly others: readonly Judge[];
  /** Pages whose links are held out of what is compared. */
  readonly heldOut: readonly number[];
}

/**
 * The judge by its name, or with null the first of `OWN_JUDGES` that knows enough of the pages, and the others.
 *
 * Errors  InputError AKIN_ERR_OPTION where it knows too few.
 */
export function judgesOfCollection(reader: IndexReader, name: OwnJudgeName | null, seed: number): OwnJudges {
  const fetched = [...reader.pages()].flatMap((page) =>
    page.fetched && !reader.isGone(page.id) ? [page.id] : [],
  );
  const heldOut = citersHeldOut(reader, seed);
  const all = [
    judgeByLinks(reader, heldOut, fetched),
    judgeBySections(reader, fetched),
    judgeBySweeps(reader, fetched),
  ];
  const knows = ({ name, pages }: Judge) =>
    pages.length >= (name === 'sweeps' ? LEAST_PAGES : Math.max(LEAST_PAGES, LEAST_SHARE * fetched.length));
  const able = all.filter(knows);
  const judge = name === null ? able[0] : able.find((one) => one.name === name);
  if (judge !== undefined) {
    const isByLinks = able.some((one) => one.name === 'links');
    return { judge, others: able.filter((other) => other !== judge), heldOut: isByLinks ? heldOut : [] };
  }
  const asked = name === null ? OWN_JUDGES : [name];
  const counted = all.filter((one) => asked.includes(one.name as OwnJudgeName));
  throw optionFault(
    `${reader.path} itself says too little of which pages are related: pages with a related page, ${counted
      .map((one) => `${one.pages.length} by ${one.name}`)
      .join(', ')}`,
    `give labels of at least ${LEAST_PAGES} pages: --labels TSV`,
  );
}

/**
 * Pages of one folder of one host are related, by their URLs. It rewards what the frame of a section repeats. A section
 * with most of the pages tells none apart.
 */
function judgeBySections(reader: IndexReader, fetched: readonly number[]): Judge {
  const sections = new Map<number, ReadonlySet<string>>();
  const sizes = new Map<string, number>();
  for (const page of fetched) {
    const section = folderOf(reader.page(page).url);
    sections.set(page, new Set([section]));
    sizes.set(section, (sizes.get(section) ?? 0) + 1);
  }
  const tooLarge = sections.size / 2;
  for (const [page, [section]] of sections) if (sizes.get(section!)! > tooLarge) sections.delete(page);
  return { ...judgeByLabels(sections), name: 'sections' };
}
