/**
 * The stage `copies`: which pages are copies of each other.
 *
 *   pages ─> versions: equal texts ─> folded: equal shingle sets ─> pairs that share shingles ─> components
 *            written once             compared once                 join/copies/copy-relation.ts
 *
 * Source  Broder, Glassman, Manasse, Zweig 1997.
 */

import {
  type CopyPhase,
  type CopyRelation,
  type CopyRelationReport,
  relateCopies,
} from '../../join/copies/copy-relation.ts';
import { type CopyRoom, copyRoom, leastCopyBytes } from '../../join/copies/space/copy-memory.ts';
import type { Templates } from '../../join/copies/template-shingles.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { NumberColumn } from '../../lib/columns/number-column.ts';
import { inWords } from '../../lib/in-words.ts';
import { numberIn } from '../../lib/kept.ts';
import { KeyTable } from '../../lib/keys/key-table.ts';
import { relationOptionsOf } from '../../relations/copy.ts';
import { SIMHASH_LANES } from '../../sketch/word-simhash.ts';
import { phaseName, type StageRecord } from '../../store/records.ts';
import { hostOf } from '../../url/site.ts';
import { divideMemory } from '../files/budget.ts';
import type { ArrayReader } from '../files/records/array-file.ts';
import {
  COMMON_KEYS,
  copyRootsOfLevel,
  FOLDED_HOSTS,
  FOLDED_LANGUAGES,
  FOLDED_OF_PAGE,
  FOLDED_OF_VERSION,
  FOLDED_SIMHASHES,
  HOST_NAMES,
  SKETCH_KEYS,
  TEMPLATE_KEYS,
  TEMPLATES,
  VERSION_OF_PAGE,
  VERSION_OF_PAST,
} from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import { startTimes } from '../files/stage-runner.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import { collapsedCopies } from '../gather/records/collapsed-pages.ts';
import type { CollapsedCopies } from '../gather/records/collapsed-record.ts';
import { type CopyRecord, unpackCopy } from '../gather/records/copy-record.ts';
import type { PageFacts } from '../gather/records/page-record.ts';
import type { CopyOptions } from '../options/build-options.ts';
import { clusteringsOf, copyParameters } from '../options/copy-parameters.ts';
import { commonLanguage } from '../steps/equal-texts.ts';
import { CopyFiles } from './copy-store.ts';
import { requireMemory } from './crew/join-limits.ts';
import { ignoreCommon, SketchFiles, SketchWriter } from './sketch-files.ts';

type Uncounted = 'entryCount' | 'templateEntryCount' | 'barePageCount' | 'crowdedEntryCount';

/** What was found in the stage `copies`. Hosts are meant where it says site. */
export interface CopyReport extends Omit<CopyRelationReport, Uncounted> {
  readonly versionCount: number;
  /** Versions left when those of equal shingle sets are folded into one. */
  readonly foldedCount: number;
  /** Pages whose text one before them has, word for word: no pair is counted of these. */
  readonly equalPageCount: number;
  /** What each phase took, in order. Sketches are made as pages are read, in the stage `extract`. */
  readonly phases: readonly CopyPhaseTimes[];
}

interface CopyPhaseTimes extends Pick<StageRecord, 'durationMs' | 'processorMs'> {
  readonly name: 'equal texts' | CopyPhase;
}

type CopyPart<Counts extends keyof CopyReport> = Pick<CopyReport, Counts | 'phases'>;
/** What `findVersions` found. */
export type VersionReport = CopyPart<'versionCount' | 'foldedCount' | 'equalPageCount'>;
/** What `joinVersions` found. */
export type JoinReport = CopyPart<Exclude<keyof CopyReport, keyof VersionReport>>;

/** Both steps, one behind the other. */
export function findCopies(
  folder: WorkFiles,
  options: CopyOptions,
  memoryBytes: number,
  onPages: (done: number) => void,
): CopyReport {
  return copyReport(findVersions(folder, onPages), joinVersions(folder, options, memoryBytes));
}

export function copyReport(versions: VersionReport, joined: JoinReport): CopyReport {
  return { ...versions, ...joined, phases: [...versions.phases, ...joined.phases] };
}

/** Gives pages their versions, and folds equal ones. */
export function findVersions(folder: WorkFiles, onPages: (done: number) => void = () => {}): VersionReport {
  const times = startTimes();
  const counts = foldPages(folder, onPages);
  return { ...counts, phases: [{ name: 'equal texts', ...times() }] };
}

/**
 * Finds the pairs of the folded pages that `findVersions` left, and their components at each clustering.
 *
 * Memory  what join/copies/space/copy-memory.ts counts: all sketches where they fit in the budget, else a part of their keys at a
 *         time, and lists of pages in a file.
 * Errors  InputError where the budget is too small for what there is a page.
 */
export function joinVersions(folder: WorkFiles, options: CopyOptions, memoryBytes: number): JoinReport {
  const phases: CopyPhaseTimes[] = [];
  let under: { readonly name: CopyPhaseTimes['name']; readonly times: ReturnType<typeof startTimes> } | null =
    null;
  const begins = (name: CopyPhaseTimes['name'] | null) => {
    if (under !== null) phases.push({ name: under.name, ...under.times() });
    under = name === null ? null : { name, times: startTimes() };
  };
  const parameters = copyParameters(options);
  const room = roomFor(folder, memoryBytes);
  const { join, ...others } = relationOptionsOf(parameters, clusteringsOf(options));
  if (parameters.ignores_common) ignoreCommon(folder, join.maxPagesPerShingle, room.partCount);
  else COMMON_KEYS.write(folder, new Float64Array(0));
  const sketches = SketchFiles.ofKept(folder);
  const store = new CopyFiles(folder);
  const simhashes = parameters.same_site_agreement > 0 ? FOLDED_SIMHASHES.reader(folder) : null;
  const facts = {
    siteOfPage: FOLDED_HOSTS.read(folder),
    ...(parameters.language_check && {
      languageOfPage: FOLDED_LANGUAGES.read(folder),
    }),
    ...(simhashes && {
      simhashes: (pages: Uint32Array | null) =>
        pages === null ? FOLDED_SIMHASHES.read(folder) : simhashesOf(simhashes, pages),
    }),
  };
  try {
    const source = room.isWhole ? sketches.whole() : sketches;
    const relation = relateCopies(source, facts, { join, ...others }, store, room, begins);
    store.close();
    saveRelation(folder, relation);
    begins(null);
    const {
      entryCount: _all,
      templateEntryCount: _marked,
      barePageCount: _bare,
      crowdedEntryCount: _crowded,
      ...report
    } = relation.report;
    return { ...report, phases };
  } finally {
    closeAll([sketches, store, ...(simhashes === null ? [] : [simhashes])]);
  }
}

function roomFor(folder: WorkFiles, memoryBytes: number): CopyRoom {
  const pageCount = FOLDED_HOSTS.length(folder);
  const budgetBytes = divideMemory(memoryBytes).copies.join;
  const keyCount = SKETCH_KEYS.length(folder);
  const neededBytes = (leastCopyBytes(pageCount, keyCount) / budgetBytes) * memoryBytes;
  requireMemory('copies', neededBytes, memoryBytes, pageCount, null);
  return copyRoom(pageCount, keyCount, budgetBytes);
}

function simhashesOf(all: ArrayReader<Uint32Array>, pages: Uint32Array): Uint32Array {
  const simhashes = new Uint32Array(SIMHASH_LANES * pages.length);
  for (const [i, page] of pages.entries())
    simhashes.set(all.read(SIMHASH_LANES * page, SIMHASH_LANES * (page + 1)), SIMHASH_LANES * i);
  return simhashes;
}

/**
 * Numbers versions and folded pages in page order, and writes down what the join asks of each folded page. Behind these
 * stand the sketches of texts that only past captures have: they are found, and are copies of none.
 */
function foldPages(folder: WorkFiles, onPages: (done: number) => void) {
  const versionOfPage = VERSION_OF_PAGE.writer(folder);
  const versionOfPast = VERSION_OF_PAST.writer(folder);
  const foldedOfPage = FOLDED_OF_PAGE.writer(folder);
  const hosts = FOLDED_HOSTS.writer(folder);
  const languages = new NumberColumn(Uint32Array, 0);
  const simhashes = FOLDED_SIMHASHES.writer(folder);
  const sketches = new SketchWriter(folder);
  const versions = new KeyTable();
  const foldedOfVersion = new NumberColumn(Uint32Array, NONE);
  const folded = new KeyTable();
  const hostIds = new Map<string, number>();
  const languageIds = new Map<string, number>([['', 0]]);
  let pageCount = 0;
  let equalPageCount = 0;
  let hasPast = false;
  const versionOf = ({ textDigest }: Pick<PageFacts, 'textDigest'>) => {
    const key = digestKey(textDigest);
    const known = versions.get(key, versions.size);
    if (known === versions.size) versions.set(key, known);
    return known;
  };
  // A page without a shingle is a copy of none.
  const knownFold = ({ shingleCount, shingleDigest }: CopyRecord) =>
    shingleCount === 0 ? NONE : folded.get(digestKey(shingleDigest), NONE);
  const fold = (copy: CopyRecord) => {
    const number = sketches.append(copy);
    if (copy.shingleCount > 0) folded.set(digestKey(copy.shingleDigest), number);
    return number;
  };
  const foldPage = ({ url, page, past }: CollapsedCopies) => {
    if (page === null) {
      versionOfPage.push(NONE);
      foldedOfPage.push(NONE);
    } else {
      const version = versionOf(page);
      versionOfPage.push(version);
      const copy = unpackCopy(page.copy);
      let number = knownFold(copy);
      const language = numberIn(languageIds, page.lang);
      if (number !== NONE) {
        equalPageCount++;
        languages.set(number, commonLanguage(languages.get(number), language, 0));
      } else {
        number = fold(copy);
        hosts.push(numberIn(hostIds, hostOf(url)));
        languages.set(number, language);
        for (let lane = 0; copy.simhash !== null && lane < SIMHASH_LANES; lane++)
          simhashes.push(copy.simhash[lane]!);
      }
      foldedOfPage.push(number);
      foldedOfVersion.set(version, number);
    }
    hasPast ||= past.length > 0;
    for (const capture of past) versionOfPast.push(versionOf(capture));
  };
  for (const page of collapsedCopies(folder)) {
    foldPage(page);
    if (++pageCount % 4096 === 0) onPages(pageCount);
  }
  const foldedCount = sketches.count;
  if (hasPast) {
    for (const { past } of collapsedCopies(folder)) {
      for (const capture of past) {
        const version = versionOf(capture);
        if (foldedOfVersion.get(version) !== NONE) continue;
        const copy = unpackCopy(capture.copy);
        const known = knownFold(copy);
        foldedOfVersion.set(version, known === NONE ? fold(copy) : known);
      }
    }
  }
  const versionCount = versions.size;
  FOLDED_OF_VERSION.write(folder, foldedOfVersion.first(versionCount));
  closeAll([versionOfPage, versionOfPast, foldedOfPage, sketches, hosts, simhashes]);
  FOLDED_LANGUAGES.write(folder, languages.first(FOLDED_HOSTS.length(folder)));
  const names = HOST_NAMES.writer(folder);
  for (const name of hostIds.keys()) names.append(Buffer.from(name));
  names.close();
  return { versionCount, foldedCount, equalPageCount };
}

/** 53 bits of a digest; see lib/keys/key-table.ts for how often two agree. */
function digestKey(digest: Uint8Array): number {
  const view = new DataView(digest.buffer, digest.byteOffset, 8);
  return (view.getUint32(0) & 0x1fffff) * 4294967296 + view.getUint32(4) || 1;
}

function saveRelation(folder: WorkFiles, { roots, templates }: CopyRelation): void {
  for (const [level, ofLevel] of roots.entries()) copyRootsOfLevel(level).write(folder, ofLevel);
  const hosts = [...templates.keys()];
  const counts = hosts.map((host) => templates.get(host)!.length);
  TEMPLATES.write(folder, { hosts: Uint32Array.from(hosts), counts: Uint32Array.from(counts) });
  const keys = TEMPLATE_KEYS.writer(folder);
  for (const host of hosts) for (const key of templates.get(host)!) keys.push(key);
  keys.close();
}

/** Names of the hosts by their numbers: in the order of their first folded page. */
export function loadHostNames(folder: WorkFiles): string[] {
  return Array.from(HOST_NAMES.records(folder), (name) => name.toString());
}

/** Template keys by number of the host. */
export function loadTemplates(folder: WorkFiles): Templates {
  const { hosts, counts } = TEMPLATES.read(folder);
  const keys = TEMPLATE_KEYS.read(folder);
  let at = 0;
  return new Map(Array.from(hosts, (host, i) => [host, keys.subarray(at, (at += counts[i]!))]));
}

/** The phases as an index keeps them, beside the stages: texts that are compared, then pairs of copies. */
export function storedPhases({ phases, foldedCount, pairCount }: CopyReport): StageRecord[] {
  return phases.map(({ name, ...times }, i) => ({
    name: phaseName('copies', name),
    recordCount: i < 2 ? foldedCount : pairCount,
    ...times,
  }));
}

/** Counts under names as they stand in the index: `sameSiteCount` is `same_site_count`. Times, and what clusters say, are no part of it. */
export function storedCounts({
  phases: _phases,
  equalPageCount: _equal,
  ...report
}: CopyReport): Record<string, number> {
  return Object.fromEntries(
    Object.entries(report).map(([name, count]) => [inWords(name, '_'), count as number]),
  );
}
