import { CopyNeighbors } from '../../join/copies/copy-neighbors.ts';
import { storedFigure } from '../../join/copies/copy-relation.ts';
import { NONE } from '../../lib/columns/indexes.ts';
import { groupBy } from '../../lib/groups.ts';
import { COPY, COPY_NEIGHBOR_LIMIT, EVERY_HOST } from '../../relations/copy.ts';
import type { IndexWriter } from '../../store/write/writer.ts';
import { ByteReader, ByteWriter } from '../files/records/bytes.ts';
import {
  COMMON_KEYS,
  COPY_PAIRS,
  copyRootsOfLevel,
  FOLDED_OF_PAGE,
  FOLDED_OF_VERSION,
  VERSION_OF_PAGE,
  VERSION_OF_PAST,
} from '../files/records/stage-files.ts';
import type { WorkFiles, WorkFolder } from '../files/work-folder.ts';
import { pageNames } from '../gather/records/collapsed-pages.ts';
import { type CopyRecord, unpackCopy } from '../gather/records/copy-record.ts';
import type { PageFacts } from '../gather/records/page-record.ts';
import type { CopyOptions } from '../options/build-options.ts';
import { clusteringsOf } from '../options/copy-parameters.ts';
import { loadHostNames, loadTemplates } from '../relate/copies.ts';
import { SketchFiles, withSketches } from '../relate/sketch-files.ts';
import {
  copyClusters,
  type Heading,
  pagesInClusters,
  writeCopyClusters,
} from './clusters/write-copy-clusters.ts';
import { copyRow } from './relation-rows.ts';
import { packShingles } from './shingle-index.ts';
import { ShownTitles } from './shown-titles.ts';
import type { Versions } from './write-index.ts';

/** Writes each version when its first capture comes by, and says the version of each capture. */
export class VersionWriter implements Versions {
  readonly #writer: IndexWriter;
  readonly #versionOfPage: Uint32Array;
  readonly #versionOfPast: Uint32Array;
  #pastCount = 0;
  #written = 0;

  constructor(writer: IndexWriter, folder: WorkFiles) {
    this.#writer = writer;
    this.#versionOfPage = VERSION_OF_PAGE.read(folder);
    this.#versionOfPast = VERSION_OF_PAST.read(folder);
  }

  ofPage(pageId: number, page: PageFacts): number {
    return this.#write(this.#versionOfPage[pageId]!, page);
  }

  ofPast(capture: PageFacts): number {
    return this.#write(this.#versionOfPast[this.#pastCount++]!, capture);
  }

  #write(id: number, page: PageFacts): number {
    if (id !== this.#written) return id;
    writeVersion(this.#writer, id, page);
    return this.#written++;
  }
}

/** The text of a capture, where it is kept, and its sketch. */
export function writeVersion(
  writer: IndexWriter,
  id: number,
  { copy: packed, textDigest }: PageFacts,
): CopyRecord {
  const copy = unpackCopy(packed);
  writer.version({ ...copy, id, textDigest });
  if (copy.text !== null) writer.versionText(id, copy.text);
  return copy;
}

/** The inverted index of all versions. */
export function writeVersionShingles(writer: IndexWriter, folder: WorkFiles, budgetBytes: number): void {
  withSketches(SketchFiles.ofAll(folder), (sketches) => {
    const versionsOfSketch = groupBy(FOLDED_OF_VERSION.read(folder), sketches.pageCount);
    packShingles(sketches, versionsOfSketch, budgetBytes, writer.shingleBlock);
  });
}

/**
 * The copy relation: templates and neighbors. Returns what writes its clusters of two pages or more, from the id that the first
 * of them gets, and then returns the id of the next cluster.
 */
export function writeCopyLists(
  writer: IndexWriter,
  folder: WorkFolder,
  options: CopyOptions,
): (firstClusterId: number) => number {
  writer.relation(copyRow(options));
  const foldedOfPage = FOLDED_OF_PAGE.read(folder);
  const keyCounts = withSketches(SketchFiles.ofKept(folder), keyCountsOf);
  const templates = loadTemplates(folder);
  const hostNames = loadHostNames(folder);
  for (const [host, keys] of templates) writer.templateShingles(hostNames[host]!, keys);
  const ignored = COMMON_KEYS.read(folder);
  if (ignored.length > 0) writer.templateShingles(EVERY_HOST, ignored);

  const groups = groupBy(foldedOfPage, keyCounts.length);
  const neighbors = new CopyNeighbors(COPY_PAIRS.read(folder), groups, keyCounts, COPY_NEIGHBOR_LIMIT);
  for (const [page, folded] of foldedOfPage.entries()) {
    if (folded === NONE) continue;
    const list = neighbors.of(page, folded);
    if (list.ids.length > 0) writer.neighbors(COPY.id, page, list);
  }
  return (firstClusterId) => {
    const clusterings = clusteringsOf(options);
    const roots = clusterings.map((_, level) => copyRootsOfLevel(level).read(folder));
    const headOf = headings(folder, pagesInClusters(roots, groups, foldedOfPage.length));
    let nextClusterId = firstClusterId;
    withSketches(SketchFiles.ofKept(folder), (sketches) => {
      for (const [level, clustering] of clusterings.entries()) {
        writer.clustering(COPY.id, level, clustering);
        const figureOf = (folded: number, center: number) =>
          storedFigure(sketches.at(folded), sketches.at(center), clustering.measure);
        const found = copyClusters(roots[level]!, figureOf, groups, headOf);
        nextClusterId += writeCopyClusters(writer, COPY, nextClusterId, level, clustering.name, found);
      }
    });
    return nextClusterId;
  };
}

function keyCountsOf({ pageCount, offsets }: SketchFiles): Uint32Array {
  const counts = new Uint32Array(pageCount);
  for (let page = 0; page < pageCount; page++) counts[page] = offsets[page + 1]! - offsets[page]!;
  return counts;
}

/** What is shown of the wanted pages, kept as bytes: 8 a page, and those of the texts. */
export function headings(folder: WorkFolder, isWanted: Uint8Array): (page: number) => Heading {
  const bytes = new ByteWriter();
  const starts = new Float64Array(isWanted.length);
  let page = 0;
  for (const { url, title } of pageNames(folder)) {
    if (isWanted[page] === 1) {
      starts[page] = bytes.length;
      bytes.text(url);
      bytes.text(title);
    }
    page++;
  }
  const from = new ByteReader(bytes.view());
  const shown = new ShownTitles(folder);
  return (wanted) => {
    from.at = starts[wanted]!;
    const url = from.ascii();
    return { url, title: shown.of(url, from.text()) };
  };
}
