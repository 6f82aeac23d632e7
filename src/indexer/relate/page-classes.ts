/**
 * The classes of pages that a person has given (`--classes`): they seed the topics, and half of them, held out, tell how
 * far topics find classes by themselves.
 */
import { existsSync } from 'node:fs';
import { NO_CLASS } from '../../cluster/class-seeds.ts';
import { type ClusterQuality, clusterQuality } from '../../evaluate/v-measure.ts';
import { key53 } from '../../lib/keys/key-table.ts';
import { Random } from '../../lib/random.ts';
import { CLASS_OF_PAGE, CLASS_PATHS } from '../files/records/stage-files.ts';
import type { WorkFiles, WorkFolder } from '../files/work-folder.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import { collapsedLinks } from '../gather/records/collapsed-pages.ts';
import { pageIds } from '../gather/records/page-ids.ts';

/** Canonical URL and class path, steps joined by "/"; by URL, each once. */
type ClassTable = readonly (readonly [url: string, path: string])[];

export interface PageClasses {
  /** Of each page the position of its class in `paths`, or NO_CLASS. */
  readonly classOf: Uint32Array;
  readonly paths: readonly (readonly string[])[];
}

export interface ClassReport {
  readonly pageCount: number;
  readonly classCount: number;
  /** URLs that the pages do not have, or that are gone; the first of them. */
  readonly missingCount: number;
  readonly missing: readonly string[];
  /** Pages whose classes were held out of the seeds to tell the figures. */
  readonly heldOutCount: number;
  /** Of each level of topics, fine to broad: topics without seeds, and seeded with the other half, by the held-out half. */
  readonly levels: readonly { readonly plain: ClusterQuality; readonly seeded: ClusterQuality }[];
}

const MISSING_NAMED = 20;
const HALF_SEED = 0x636c6173;

/** Finds the pages of a table and leaves their classes; an alias stands for its page, whose own line wins. */
export function placeClasses(
  folder: WorkFolder,
  table: ClassTable,
  pageCount: number,
): Omit<ClassReport, 'heldOutCount' | 'levels'> {
  const aliases = new Aliases(folder);
  const ids = pageIds(folder, aliases, pageCount);
  const isAlias = (url: string) => aliases.target(url) !== undefined;
  const [ofPages, ofAliases] = [
    table.filter(([url]) => !isAlias(url)),
    table.filter(([url]) => isAlias(url)),
  ];
  aliases.close();
  // What is gone is in no topic, and seeds none.
  const gone = new Set<number>();
  let id = 0;
  for (const { page, past } of collapsedLinks(folder)) {
    if (page === null && past.length > 0) gone.add(id);
    id++;
  }
  const classOf = new Uint32Array(pageCount).fill(NO_CLASS);
  const paths = [...new Set(table.map(([, path]) => path))].sort();
  const numberOf = new Map(paths.map((path, i) => [path, i]));
  const missing: string[] = [];
  for (const [url, path] of [...ofPages, ...ofAliases]) {
    const page = ids.get(key53(url), NO_CLASS);
    if (page === NO_CLASS || gone.has(page)) missing.push(url);
    else if (classOf[page] === NO_CLASS) classOf[page] = numberOf.get(path)!;
  }
  CLASS_OF_PAGE.write(folder, classOf);
  const writer = CLASS_PATHS.writer(folder);
  for (const path of paths) writer.append(Buffer.from(path));
  writer.close();
  const placed = classOf.filter((one) => one !== NO_CLASS);
  return {
    pageCount: placed.length,
    classCount: new Set(placed).size,
    missingCount: missing.length,
    missing: missing.slice(0, MISSING_NAMED),
  };
}

/** What `placeClasses` left; null in a build without classes. */
export function readClasses(folder: WorkFiles): PageClasses | null {
  if (!existsSync(folder.file(CLASS_PATHS.name))) return null;
  const paths = Array.from(CLASS_PATHS.records(folder), (path) => path.toString().split('/'));
  return { classOf: CLASS_OF_PAGE.read(folder), paths };
}

/** Two halves of the classes, as large as each other, drawn at random. */
export function halves({ classOf, paths }: PageClasses): [PageClasses, PageClasses] {
  const random = new Random(HALF_SEED);
  let left = classOf.filter((one) => one !== NO_CLASS).length;
  let wanted = left >> 1;
  const isSecond = classOf.map((one) => {
    if (one === NO_CLASS || random.below(left--) >= wanted) return 0;
    wanted--;
    return 1;
  });
  const half = (which: number) => classOf.map((one, page) => (isSecond[page] === which ? one : NO_CLASS));
  return [
    { classOf: half(0), paths },
    { classOf: half(1), paths },
  ];
}

/** How far the topics of one level agree with classes. */
export function agreement(topicOf: Uint32Array, { classOf, paths }: PageClasses): ClusterQuality {
  const pairs: [number, string][] = [];
  for (let page = 0; page < classOf.length; page++) {
    if (classOf[page] !== NO_CLASS) pairs.push([topicOf[page]!, paths[classOf[page]!]!.join('/')]);
  }
  return clusterQuality(pairs);
}
