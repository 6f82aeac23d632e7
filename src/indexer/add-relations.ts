import type { Bag, BagMatrix } from '../features/bag.ts';
import { BLOCK_PAGES, buildPostings } from '../join/exact/postings.ts';
import { lookupCount } from '../sketch/lookup-keys.ts';
import type { SketchTable } from '../sketch/sketch-table.ts';
import { bytesOf } from '../store/blobs/blobs.ts';
import type { IndexEditor } from '../store/editor.ts';
import type { IndexReader } from '../store/reader.ts';
import { type IndexState, matrixOf, tableOf } from './add-state.ts';
import type { BuildOptions } from './build-options.ts';
import { ByteWriter } from './files/bytes.ts';
import { RecordWriter } from './files/record-file.ts';
import type { WorkFolder } from './files/work-folder.ts';
import { writeCollapsed } from './gather/collapsed-record.ts';
import { packVersion } from './gather/copy-record.ts';
import { PAGES_FILE } from './gather/merge.ts';
import type { Counts } from './gather/page-record.ts';
import { similarityOfBags } from './relate/center-similarity.ts';
import { findClusters, loadLevels } from './relate/clusters.ts';
import { findCopies, storedCounts } from './relate/copies.ts';
import { saveNeighbours } from './relate/neighbours.ts';
import { COPY_RELATION_ID, TOPIC_RELATION_ID } from './relate/relation-ids.ts';
import { type Completeness, renewLists } from './renew-lists.ts';
import { nameClusters } from './write/cluster-labels.ts';
import { writeClusters } from './write/write-clusters.ts';
import { writeCopyLists, writeShingles } from './write/write-copies.ts';

const NO_COUNTS: Counts = { keys: new Float64Array(0), tfs: new Uint32Array(0) };

/** A text as the copy relation needs it: `copy` as `packCopy` makes it, with or without the text itself. */
export interface StoredVersion {
  readonly textDigest: Uint8Array;
  readonly copy: Uint8Array;
}

/** A version of an index. */
export function storedVersion(reader: IndexReader, versionId: number): StoredVersion {
  const version = reader.versions.get(versionId);
  return { textDigest: Buffer.from(version.textDigest, 'hex'), copy: packVersion(version) };
}

/**
 * Writes the pages of the whole index under the name that the stages read: what clusters and copies ask of a page,
 * no words and no links.
 */
export function savePages(
  folder: WorkFolder,
  state: IndexState,
  versionOf: (versionId: number) => StoredVersion,
): void {
  const file = new RecordWriter(folder.file(PAGES_FILE), 1 << 20);
  const out = new ByteWriter();
  for (const [id, { url, title, lang, fetched, wordCount }] of state.pages.entries()) {
    const versionId = state.versions[id]!;
    const { textDigest, copy } =
      versionId < 0 ? { textDigest: new Uint8Array(8), copy: new Uint8Array(0) } : versionOf(versionId);
    const page = {
      url,
      sequence: 0,
      fetchedAtMs: 0,
      title,
      lang: lang ?? '',
      mediaType: '',
      charset: '',
      bodyBytes: 0,
      textDigest,
      wordCount,
      content: NO_COUNTS,
      titleWords: NO_COUNTS,
      links: new Float64Array(0),
      copy,
    };
    out.clear();
    writeCollapsed(out, { url, title, anchor: NO_COUNTS, page: fetched ? page : null });
    file.append(out.view());
  }
  file.close();
}

/** Writes the bags that changed, their sums and postings, and every neighbour list that is another one now. */
export async function changeBags(
  editor: IndexEditor,
  state: IndexState,
  before: readonly Bag[],
  changed: ReadonlySet<number>,
  options: BuildOptions,
  stored: Completeness,
): Promise<Awaited<ReturnType<typeof renewLists>>> {
  const matrix = matrixOf(state);
  const postings = buildPostings(matrix);
  for (const page of [...changed].sort((a, b) => a - b)) {
    editor.bag(TOPIC_RELATION_ID, page, state.bags[page]!.features, state.bags[page]!.weights);
  }
  for (const [blockId, block] of postings.blocks.entries()) {
    const mine = [...changed].filter((page) => Math.floor(page / BLOCK_PAGES) === blockId);
    if (mine.length === 0) continue;
    const sums = matrix.sums.subarray(block.firstPage, block.firstPage + block.pageCount);
    editor.bagSums(TOPIC_RELATION_ID, blockId, bytesOf(sums));
    const features = new Set<number>();
    for (const page of mine) {
      for (const feature of before[page]?.features ?? []) features.add(feature);
      for (const feature of state.bags[page]!.features) features.add(feature);
    }
    for (const feature of features) {
      const [from, to] = [block.offsets[feature]!, block.offsets[feature + 1]!];
      if (from === to) editor.removePosting(TOPIC_RELATION_ID, blockId, feature);
      else editor.posting(TOPIC_RELATION_ID, blockId, feature, block.entries.subarray(from, to));
    }
  }
  const report = await renewLists(matrix, postings, state.lists, changed, options, stored);
  for (const page of report.touched) {
    if (state.lists[page]!.ids.length === 0) editor.removeNeighbours(TOPIC_RELATION_ID, page);
    else editor.neighbours(TOPIC_RELATION_ID, page, state.lists[page]!);
  }
  return report;
}

/** Finds the topic clusters anew from the lists, and writes them in place of all clusters. Returns their number. */
export function rewriteClusters(
  editor: IndexEditor,
  folder: WorkFolder,
  state: IndexState,
  options: BuildOptions,
): number {
  saveNeighbours(folder, tableOf(state, options.neighbourLimit));
  const levelCount = findClusters(folder, options).length;
  const clusters = editor.editClusters();
  const matrix: BagMatrix = matrixOf(state);
  const relation = { id: TOPIC_RELATION_ID, name: 'topic' };
  const levels = loadLevels(folder, levelCount);
  nameClusters(folder, matrix, levels);
  const urlsOf = (level: number) =>
    state.pages
      .filter(({ id }) => levels[level]![id] === id)
      .map(({ url }) => url)
      .values();
  const count = writeClusters(clusters, relation, folder, levels, similarityOfBags(matrix), urlsOf);
  clusters.apply(relation.id);
  return count;
}

/** Finds the pairs of current versions anew, as a full build does, and writes them with their clusters. */
export function rewriteCopies(editor: IndexEditor, folder: WorkFolder, options: BuildOptions): number {
  const report = findCopies(folder, options, () => {});
  editor.parameter('copy_found', storedCounts(report));
  editor.clearNeighbours(COPY_RELATION_ID);
  editor.clearTemplates();
  const clusters = editor.editClusters();
  writeCopyLists(editor, COPY_RELATION_ID, 0, folder, options, clusters);
  clusters.apply(COPY_RELATION_ID);
  return report.pairCount;
}

/** Writes the inverted index anew over all versions, the earlier ones of each page included. */
export function rewriteShingles(
  editor: IndexEditor,
  versions: Iterable<Float64Array>,
  options: BuildOptions,
): number {
  const lowest = Array.from(versions, (keys) => keys.slice(0, lookupCount(keys)));
  const offsets = new Float64Array(lowest.length + 1);
  for (const [version, keys] of lowest.entries()) offsets[version + 1] = offsets[version]! + keys.length;
  const all = new Float64Array(offsets[lowest.length]!);
  for (const [version, keys] of lowest.entries()) all.set(keys, offsets[version]!);
  const table: SketchTable = {
    pageCount: lowest.length,
    offsets,
    keys: all,
    limits: new Float64Array(lowest.length).fill(Number.POSITIVE_INFINITY),
    shingleCounts: Uint32Array.from(lowest, (keys) => keys.length),
  };
  const own = {
    starts: Uint32Array.from({ length: lowest.length + 1 }, (_, i) => i),
    members: Uint32Array.from(lowest.keys()),
  };
  editor.clearShingles();
  writeShingles(editor, table, own, options);
  return lowest.length;
}
