import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import { indexes } from '../../lib/columns/indexes.ts';
import { groupBy } from '../../lib/groups.ts';
import { keptIn } from '../../lib/kept.ts';
import { placeAmong } from '../../lib/sorted.ts';
import { COPY } from '../../relations/copy.ts';
import { foundVectors } from '../../relations/meaning.ts';
import { TOPIC } from '../../relations/topic.ts';
import type { ShingleSketch } from '../../sketch/shingle-sketch.ts';
import { sourceOf } from '../../sketch/sketch-source.ts';
import { tableOf } from '../../sketch/sketch-table.ts';
import { decodeKeys } from '../../store/blobs/sketch-blobs.ts';
import { PACKAGE_VERSION } from '../../store/package-version.ts';
import { IndexWriter, publishFile } from '../../store/write/writer.ts';
import { SHARD_HASH } from '../../url/shard.ts';
import { type Budget, divideMemory } from '../files/budget.ts';
import { INDEX_FILE } from '../files/records/stage-files.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import type { PageFacts } from '../gather/records/page-record.ts';
import type { DisplayOptions } from '../options/build-options.ts';
import { openBags } from '../weigh/open-bags.ts';
import { packShingles } from '../write/shingle-index.ts';
import { writeVersion } from '../write/write-copies.ts';
import { type Versions, writeBags, writePages, writePostings } from '../write/write-index.ts';
import { writeSearch } from '../write/write-search.ts';
import { writeVectors } from '../write/write-vectors.ts';
import type { ShardFolder, ShardHead } from './shard-folder.ts';

/** Sweeps that no page of a shard is new in. */
const NO_NEW_SWEEP = Number.MAX_SAFE_INTEGER;

/**
 * Makes the index file of a shard from its folder and publishes it at `target`. Returns the generation.
 *
 * Memory  24 bytes a URL; `memoryBytes` for bags and posting lists; 8 bytes a key of the sketches of its texts.
 */
export function writeShard(
  folder: ShardFolder,
  target: string,
  { builtAtMs, memoryBytes }: { readonly builtAtMs: number; readonly memoryBytes: number },
): string {
  const head = folder.head();
  const writer = new IndexWriter(folder.file(INDEX_FILE));
  try {
    const localIds = new LocalIds(folder, head.ownPageCount);
    writeHead(writer, head);
    const budget = divideMemory(memoryBytes);
    writeOwnPages(writer, folder, head, localIds.pageCount, budget);
    if (head.parameters['search'] === true) {
      writeSearch(writer.row, folder, budget.search.words, null, head.ownPageCount);
    }
    writeTopics(writer, folder, head.ownPageCount, budget);
    writeVectors(writer, folder, foundVectors(head.parameters));
    for (const { relationId, wholeId, list } of folder.lists()) {
      writer.neighbors(relationId, localIds.of(wholeId), localIds.list(list));
    }
    for (const [host, keys] of folder.templates()) writer.templateShingles(host, keys);
    for (const [cluster, members] of folder.clusters()) {
      writer.cluster({ ...cluster, centerId: localIds.of(cluster.centerId) });
      for (const { pageId, similarity } of members) {
        writer.member(cluster.id, localIds.of(pageId), similarity);
      }
    }
    for (const [id, stage] of head.stages.entries()) writer.stage({ id, ...stage });
  } catch (error) {
    writer.abandon();
    throw error;
  }
  const generation = writer.finish(builtAtMs, PACKAGE_VERSION);
  publishFile(folder.file(INDEX_FILE), target);
  return generation;
}

/** Local page ids by whole ids. Memory  8 bytes a page. */
class LocalIds {
  readonly pageCount: number;
  readonly #wholeIds: Uint32Array;
  readonly #ownPageCount: number;

  constructor(folder: ShardFolder, ownPageCount: number) {
    this.#wholeIds = Uint32Array.from(folder.wholePages(), ({ wholeId }) => wholeId);
    this.#ownPageCount = ownPageCount;
    this.pageCount = this.#wholeIds.length;
  }

  /** Errors  Error for a page that the folder does not name: whoever filled it left it out. */
  of(wholeId: number): number {
    const own = placeAmong(this.#wholeIds, wholeId, 0, this.#ownPageCount);
    const id = own < 0 ? placeAmong(this.#wholeIds, wholeId, this.#ownPageCount, this.pageCount) : own;
    if (id < 0) throw new Error(`page ${wholeId} is named, but is not among the pages of the shard`);
    return id;
  }

  list(list: NeighborList): NeighborList {
    return { ...list, ids: list.ids.map((wholeId) => this.of(wholeId)) };
  }
}

function writeHead(writer: IndexWriter, head: ShardHead & { readonly ownPageCount: number }): void {
  for (const [name, value] of Object.entries(head.parameters)) writer.parameter(name, value);
  writer.parameter('shard', { ...head.shard, hash: SHARD_HASH, ownPageCount: head.ownPageCount });
  for (const sweep of head.sweeps) writer.sweep(sweep);
  for (const { sweepId, reason, recordCount, extension } of head.skips) {
    writer.skip(sweepId, reason, recordCount, extension);
  }
  for (const relation of head.relations) writer.relation(relation);
  for (const { relationId, name, pageCount } of head.parts) writer.part(relationId, name, pageCount);
  for (const { relationId, level, ...clustering } of head.clusterings) {
    writer.clustering(relationId, level, clustering);
  }
}

function writeOwnPages(
  writer: IndexWriter,
  folder: ShardFolder,
  { parameters, relations }: ShardHead,
  pageCount: number,
  { tables }: Budget,
): void {
  const versions = relations.some(({ id }) => id === COPY.id) ? new TextVersions(writer) : null;
  const aliases = new Aliases(folder);
  const extras = {
    versions,
    cutsTitles: false,
    fields: parameters['fields'] as DisplayOptions['fields'],
    wholePages: folder.wholePages(),
  };
  writePages(writer, folder, aliases, pageCount, NO_NEW_SWEEP, extras, () => {});
  aliases.close();
  versions?.writeShingles(tables.lists);
}

function writeTopics(
  writer: IndexWriter,
  folder: ShardFolder,
  ownPageCount: number,
  { tables }: Budget,
): void {
  let id = 0;
  for (const feature of folder.features()) writer.feature(TOPIC.id, { id: id++, ...feature });
  const { matrix, entries, close } = openBags(folder, tables.bags);
  try {
    writeBags(writer, TOPIC.id, matrix, entries, ownPageCount);
    writePostings(writer, TOPIC.id, matrix, tables.lists, entries);
  } finally {
    close();
  }
}

/** Numbers the texts of a shard as they come by, and keeps their sketches for the inverted index. */
class TextVersions implements Versions {
  readonly #writer: IndexWriter;
  readonly #ids = new Map<string, number>();
  readonly #sketches: ShingleSketch[] = [];

  constructor(writer: IndexWriter) {
    this.#writer = writer;
  }

  ofPage(_pageId: number, page: PageFacts): number {
    return this.ofPast(page);
  }

  ofPast(page: PageFacts): number {
    return keptIn(this.#ids, Buffer.from(page.textDigest).toString('latin1'), () => {
      const id = this.#ids.size;
      const { keys, limit, shingleCount } = writeVersion(this.#writer, id, page);
      this.#sketches.push({ keys: decodeKeys(keys), limit, shingleCount });
      return id;
    });
  }

  writeShingles(budgetBytes: number): void {
    const count = this.#sketches.length;
    const itself = groupBy(indexes(count), count);
    const table = tableOf(this.#sketches);
    packShingles(sourceOf(table), itself, budgetBytes, this.#writer.shingleBlock);
  }
}

/** `shard-00000-of-00004.akin`. */
export function shardName(number: number, count: number): string {
  const digits = (value: number) => String(value).padStart(5, '0');
  return `shard-${digits(number)}-of-${digits(count)}.akin`;
}
