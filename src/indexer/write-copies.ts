import { createHash } from 'node:crypto';
import { CopyNeighbours, type FoldGroups, foldGroups } from '../join/copy-neighbours.ts';
import { storedResemblance } from '../join/copy-relation.ts';
import { DEFAULT_TEMPLATE, stripTemplates } from '../join/template-shingles.ts';
import { COPY_NEIGHBOUR_LIMIT, copyParameters, INDEXED_KEYS } from '../relations/copy.ts';
import type { SketchTable } from '../sketch/sketch-table.ts';
import { encodeShingleBlock } from '../store/sketch-blobs.ts';
import type { IndexWriter } from '../store/writer.ts';
import { readArray } from './array-file.ts';
import type { BuildOptions } from './build-options.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { loadCopyPairs, loadHostNames, loadSketches, loadTemplates, NONE } from './copies.ts';
import { unpackCopy } from './copy-record.ts';
import type { PageFacts } from './page-record.ts';
import { RecordWriter, readRecords } from './record-file.ts';
import { shingleBlocks } from './shingle-index.ts';
import type { WorkFiles, WorkFolder } from './work-folder.ts';
import type { ClusterSink } from './write-clusters.ts';
import { collapsedPages } from './write-index.ts';

const SHINGLES_FILE = 'shingle-blocks';
const FINEST_LEVEL = 0;

/** Writes each version when its first page comes by, and tells the version of each page. */
export class VersionWriter {
  readonly #writer: IndexWriter;
  readonly #versionOfPage: Uint32Array;
  #written = 0;

  constructor(writer: IndexWriter, folder: WorkFolder) {
    this.#writer = writer;
    this.#versionOfPage = readArray(folder.file('copy-versions'), Uint32Array);
  }

  /** Pages come in id order. */
  versionOf(pageId: number, page: PageFacts): number {
    const id = this.#versionOfPage[pageId]!;
    if (id === this.#written) {
      const copy = unpackCopy(page.copy);
      this.#writer.version({ ...copy, id, textDigest: page.textDigest });
      if (copy.text !== null) this.#writer.versionText(id, copy.text);
      this.#written++;
    }
    return id;
  }
}

/** Leaves the blocks of the inverted index for `writeCopies`. */
export function prepareShingles(folder: WorkFiles, options: BuildOptions): void {
  const foldedOfPage = readArray(folder.file('copy-folded'), Uint32Array);
  const whole = loadSketches(folder);
  const versionsOfFolded = versionGroups(folder, foldedOfPage, whole.pageCount);
  const file = new RecordWriter(folder.file(SHINGLES_FILE));
  const out = new ByteWriter();
  for (const block of shingleBlocks(whole, versionsOfFolded, indexedKeys(options), options.memoryBytes / 4)) {
    out.clear();
    out.f64(block[0]!.key);
    out.raw(encodeShingleBlock(block));
    file.append(out.view());
  }
  file.close();
}

/** Writes the copy relation: inverted index, templates, neighbours and clusters of two pages or more. */
export function writeCopies(
  writer: IndexWriter,
  relationId: number,
  firstClusterId: number,
  folder: WorkFolder,
  options: BuildOptions,
): void {
  for (const record of readRecords(folder.file(SHINGLES_FILE))) {
    const from = new ByteReader(record);
    writer.packedShingles(from.f64(), record.subarray(from.at));
  }
  writeCopyLists(writer, relationId, firstClusterId, folder, options);
}

/** The inverted index. Shape  versionsOfPage: the versions behind each page of the table. */
export function writeShingles(
  writer: IndexWriter,
  table: SketchTable,
  versionsOfPage: FoldGroups,
  options: BuildOptions,
): void {
  const blocks = shingleBlocks(table, versionsOfPage, indexedKeys(options), options.memoryBytes / 4);
  for (const block of blocks) writer.shingleBlock(block);
}

/** What of each version stands in the inverted index. */
export function indexedKeys(options: BuildOptions) {
  const { max_pages_per_shingle: maxPagesPerShingle } = copyParameters(options);
  return { keysPerPage: INDEXED_KEYS, maxPagesPerShingle };
}

/** All of the relation but the inverted index. */
export function writeCopyLists(
  writer: IndexWriter,
  relationId: number,
  firstClusterId: number,
  folder: WorkFolder,
  options: BuildOptions,
  clusters: ClusterSink = writer,
): void {
  const parameters = copyParameters(options);
  writer.relation({
    id: relationId,
    name: 'copy',
    profile: parameters.profile,
    measure: 'estimate',
    neighbourLimit: COPY_NEIGHBOUR_LIMIT,
    floor: parameters.threshold,
  });
  const foldedOfPage = readArray(folder.file('copy-folded'), Uint32Array);
  const whole = loadSketches(folder);
  const templates = loadTemplates(folder);
  const hostNames = loadHostNames(folder);
  for (const [host, keys] of templates) writer.templateShingles(hostNames[host]!, keys);
  const hosts = readArray(folder.file('copy-hosts'), Uint32Array);
  const { table } = stripTemplates(whole, hosts, templates, DEFAULT_TEMPLATE.minimumKeys, whole.keys);

  const groups = foldGroups(foldedOfPage, table.pageCount, NONE);
  const keyCounts = Uint32Array.from(
    { length: table.pageCount },
    (_, i) => table.offsets[i + 1]! - table.offsets[i]!,
  );
  const neighbours = new CopyNeighbours(loadCopyPairs(folder), groups, keyCounts, COPY_NEIGHBOUR_LIMIT);
  for (const [page, folded] of foldedOfPage.entries()) {
    if (folded === NONE) continue;
    const list = neighbours.of(page, folded);
    if (list.ids.length > 0) writer.neighbours(relationId, page, list);
  }
  const roots = readArray(folder.file('copy-roots'), Uint32Array);
  const wanted = new Set<number>();
  for (const pages of componentPages(roots, groups)) for (const [page] of pages) wanted.add(page);
  const heads = headings(folder, wanted);
  writeCopyClusters(clusters, relationId, firstClusterId, roots, table, groups, (page) => heads.get(page)!);
}

/** The versions of each folded page, ascending. */
function versionGroups(folder: WorkFiles, foldedOfPage: Uint32Array, foldedCount: number): FoldGroups {
  const versionOfPage = readArray(folder.file('copy-versions'), Uint32Array);
  const versionCount = versionOfPage.reduce((most, id) => (id === NONE ? most : Math.max(most, id + 1)), 0);
  const foldedOfVersion = new Uint32Array(versionCount);
  for (const [page, version] of versionOfPage.entries()) {
    if (version !== NONE) foldedOfVersion[version] = foldedOfPage[page]!;
  }
  return foldGroups(foldedOfVersion, foldedCount, NONE);
}

/** Pages of each component of two pages or more, with the folded page of each. */
function componentPages(roots: Uint32Array, groups: FoldGroups): [page: number, folded: number][][] {
  const ofRoot = new Map<number, [page: number, folded: number][]>();
  for (const [folded, root] of roots.entries()) {
    if (root === NONE) continue;
    let known = ofRoot.get(root);
    if (known === undefined) ofRoot.set(root, (known = []));
    for (let i = groups.starts[folded]!; i < groups.starts[folded + 1]!; i++) {
      known.push([groups.members[i]!, folded]);
    }
  }
  return [...ofRoot.values()].filter((pages) => pages.length > 1);
}

/**
 * Components of two pages or more. Their center is the page whose URL comes first; the figures are resemblances to it.
 *
 * Shape  roots: component of each folded page, `NONE` where it is left out.
 */
export function writeCopyClusters(
  writer: ClusterSink,
  relationId: number,
  firstClusterId: number,
  roots: Uint32Array,
  table: SketchTable,
  groups: FoldGroups,
  headOf: (page: number) => { readonly url: string; readonly title: string },
): void {
  const clusters = componentPages(roots, groups).map((pages) => {
    // Pages of a later sweep stand behind the others whatever their URL is, so the order of ids will not do.
    const [center, centerFolded] = pages.reduce((a, b) => (headOf(b[0]).url < headOf(a[0]).url ? b : a));
    const members = pages.map(([pageId, folded]) => {
      const { shared, total } = storedResemblance(table, folded, centerFolded);
      return { pageId, similarity: folded === centerFolded ? 1 : total === 0 ? 0 : shared / total };
    });
    members.sort((x, y) => x.pageId - y.pageId);
    return { center, members };
  });
  clusters.sort((x, y) => x.center - y.center);
  for (const [i, { center, members }] of clusters.entries()) {
    const { url, title } = headOf(center);
    writer.cluster({
      id: firstClusterId + i,
      relationId,
      level: FINEST_LEVEL,
      key: copyClusterKey(url),
      centerId: center,
      parentId: null,
      size: members.length,
      radius: members.reduce((least, { similarity }) => Math.min(least, similarity), 1),
      label: title || url,
    });
  }
  for (const [i, { members }] of clusters.entries()) {
    for (const { pageId, similarity } of members) writer.member(firstClusterId + i, pageId, similarity);
  }
}

/** Public id of the cluster of copies around a page. */
export function copyClusterKey(centerUrl: string): string {
  return createHash('sha256').update(`copy 0 ${centerUrl}`).digest('hex').slice(0, 16);
}

function headings(
  folder: WorkFolder,
  wanted: ReadonlySet<number>,
): Map<number, { url: string; title: string }> {
  const found = new Map<number, { url: string; title: string }>();
  let id = 0;
  for (const { url, title } of collapsedPages(folder)) {
    if (wanted.has(id)) found.set(id, { url, title });
    id++;
  }
  return found;
}
