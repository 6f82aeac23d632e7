/**
 * What one shard of an index is made from: a work folder that holds its own pages, those of other shards that it names,
 * and what only the whole index can tell of them. `write-shard.ts` makes the index file.
 *
 * Pages are named by whole ids: their positions in the order of URL over the pages of all shards. Whoever fills a folder
 * calls its methods in the order in which they stand here. Writing and reading stand in one file, as they have one form.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../../features/parts.ts';
import type { NeighborList } from '../../join/pairs/neighbor-table.ts';
import type {
  ClusterRecord,
  FeatureRecord,
  MemberRecord,
  RelationRecord,
  ShardPlace,
  SkipRecord,
  StageRecord,
  StoredSweep,
} from '../../store/records.ts';
import { ByteWriter } from '../files/records/bytes.ts';
import { FormFile, RecordFile } from '../files/records/record-file.ts';
import {
  ascending,
  doubles,
  type Field,
  flag,
  optional,
  text,
  uint16s,
  uint32s,
  varint,
} from '../files/records/record-form.ts';
import { LINK_URLS, OTHER_ANSWERS, PAGES } from '../files/records/stage-files.ts';
import { closeAll } from '../files/records/table-file.ts';
import type { WorkFiles } from '../files/work-folder.ts';
import {
  type Alias,
  type AliasKind,
  type OtherAnswer,
  writeAliases,
} from '../gather/records/answers/aliases.ts';
import { writeCollapsed } from '../gather/records/collapsed-record.ts';
import { BagWriter } from '../weigh/bag-files.ts';
import type { WholePage } from '../write/write-index.ts';

/** What the whole index knows of the pages, in the order of `PAGES`. */
const WHOLE_PAGES = new FormFile('shard-pages', {
  wholeId: varint,
  isOwn: flag,
  title: text,
  lang: optional,
  fetched: flag,
  inLinkCount: varint,
  outLinkCount: varint,
  lostSweepId: varint,
  targets: ascending,
});
/** Every feature, in the order of ids. */
const SHARD_FEATURES = new FormFile('shard-features', {
  part: text as Field<Part>,
  stem: text,
  term: text,
  pageCount: varint,
});
/** Neighbor lists as they are to be stored. */
const SHARD_LISTS = new FormFile('shard-lists', {
  relationId: varint,
  wholeId: varint,
  ids: uint32s,
  shared: uint16s,
  total: uint16s,
  /** Empty where the relation is not ordered by votes. */
  nearness: uint16s,
});
const SHARD_CLUSTERS = new RecordFile('shard-clusters');
const SHARD_TEMPLATES = new FormFile('shard-templates', { host: text, keys: doubles });
const HEAD = 'shard.json';
const NO_FEATURES = new Uint32Array(0);
const NO_NEARNESS = new Uint16Array(0);
const NO_WORDS = { keys: new Float64Array(0), tfs: new Uint32Array(0) };
const NO_CAPTURES = { page: null, past: [], folded: [] };

/** The rows that say what the index is; `recordCount` of sweeps and skips add up over the shards. */
export interface ShardHead {
  readonly shard: Omit<ShardPlace, 'ownPageCount' | 'hash'>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly sweeps: readonly StoredSweep[];
  readonly skips: readonly SkipRecord[];
  readonly relations: readonly RelationRecord[];
  readonly parts: readonly { relationId: number; name: string; pageCount: number }[];
  readonly clusterings: readonly {
    relationId: number;
    level: number;
    name: string;
    measure: 'resemblance' | 'containment';
    threshold: number;
  }[];
  readonly stages: readonly StageRecord[];
}

/** A page of the shard: its collapsed record, and what the pages of all shards together say of it. */
interface OwnPage extends Omit<WholePage, 'isOwn' | 'lang' | 'fetched'> {
  /** See gather/records/collapsed-record.ts; its words are not looked at. */
  readonly record: Uint8Array;
  /** Its bag. */
  readonly features: Uint32Array;
  readonly weights: Uint8Array;
}

/** A page of another shard, as lists show it. */
interface ElsewherePage extends Pick<WholePage, 'wholeId' | 'title' | 'lang' | 'fetched'> {
  readonly url: string;
}

/** Its document frequency is that of all shards. */
type ShardFeature = Omit<FeatureRecord, 'id'>;

export class ShardFolder implements WorkFiles {
  readonly path: string;
  /** Null once the folder is closed. */
  #to: ReturnType<typeof openWriters> | null = null;
  #featureCount = 0;
  #ownPageCount = 0;
  readonly #aliases: Alias[] = [];
  readonly #others: OtherAnswer[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  /** An empty folder; what was there is removed. */
  static create(path: string): ShardFolder {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path, { recursive: true });
    const folder = new ShardFolder(path);
    folder.#to = openWriters(folder);
    return folder;
  }

  /** A folder that was filled, by whomever. */
  static open(path: string): ShardFolder {
    return new ShardFolder(path);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Own pages come in the order of their URLs. */
  page(page: OwnPage): void {
    const { pages, wholePages, bags } = this.#to!;
    pages.append(page.record);
    wholePages.push({ ...page, lang: null, fetched: false, isOwn: true });
    bags.append(page.features, page.weights);
    this.#ownPageCount++;
  }

  /** The same, behind all own pages. */
  elsewhere({ wholeId, url, title, lang, fetched }: ElsewherePage): void {
    const record = new ByteWriter(256);
    writeCollapsed(record, { url, title, anchor: NO_WORDS }, NO_CAPTURES);
    const { pages, wholePages, bags } = this.#to!;
    pages.append(record.view());
    const counts = { inLinkCount: 0, outLinkCount: 0, lostSweepId: 0, targets: NO_FEATURES };
    wholePages.push({ wholeId, title, lang, fetched, isOwn: false, ...counts });
    bags.append(NO_FEATURES, new Uint8Array(0));
  }

  /** In URL order: those whose own URL belongs to this shard, and those of own pages. */
  alias(url: string, to: string, kind: AliasKind): void {
    this.#aliases.push([url, to, kind]);
  }

  /** In URL order, those whose URL belongs to this shard. */
  otherAnswer(answer: OtherAnswer): void {
    this.#others.push(answer);
  }

  /** In order, each once: all that own pages link to, pages or not; others do no harm. */
  linkUrl(url: string): void {
    this.#to!.linkUrls.push({ url });
  }

  /** In the order of ids: all of the index, the same in each shard. */
  feature(feature: ShardFeature): void {
    this.#to!.features.push(feature);
    this.#featureCount++;
  }

  /** The list of an own page in its final order; its ids are whole ids. By relation, then by page. */
  list(relationId: number, wholeId: number, list: NeighborList): void {
    this.#to!.lists.push({ relationId, wholeId, nearness: NO_NEARNESS, ...list });
  }

  /**
   * In the order of ids: those with own pages, which are `members`, and the clusters that these lie in. Ids of clusters, size
   * and radius are those of the whole index, ids of pages whole ids.
   */
  cluster(cluster: ClusterRecord, members: readonly MemberRecord[]): void {
    this.#to!.clusters.append(Buffer.from(JSON.stringify([cluster, members])));
  }

  /** Hosts of own pages. */
  template(host: string, keys: Float64Array): void {
    this.#to!.templates.push({ host, keys });
  }

  close(head: ShardHead): void {
    const { bags, ...records } = this.#to!;
    this.#to = null;
    closeAll(Object.values(records));
    bags.close(this.#featureCount);
    writeAliases(this, this.#aliases, new Uint8Array(0));
    OTHER_ANSWERS.write(this, this.#others);
    writeFileSync(this.file(HEAD), JSON.stringify({ ...head, ownPageCount: this.#ownPageCount }));
  }

  // Reading, once it is closed.

  head(): ShardHead & { readonly ownPageCount: number } {
    return JSON.parse(readFileSync(this.file(HEAD), 'utf8'));
  }

  /** Of the pages in the order of their local ids. */
  *wholePages(): IterableIterator<WholePage> {
    yield* WHOLE_PAGES.records(this);
  }

  *features(): IterableIterator<ShardFeature> {
    yield* SHARD_FEATURES.records(this);
  }

  *lists(): IterableIterator<{ relationId: number; wholeId: number; list: NeighborList }> {
    for (const { relationId, wholeId, nearness, ...list } of SHARD_LISTS.records(this)) {
      yield { relationId, wholeId, list: nearness.length === 0 ? list : { ...list, nearness } };
    }
  }

  *clusters(): IterableIterator<[ClusterRecord, readonly MemberRecord[]]> {
    for (const record of SHARD_CLUSTERS.records(this)) yield JSON.parse(record.toString());
  }

  *templates(): IterableIterator<[host: string, keys: Float64Array]> {
    for (const { host, keys } of SHARD_TEMPLATES.records(this)) yield [host, keys];
  }

  discard(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A writer for each file. */
function openWriters(folder: WorkFiles) {
  return {
    pages: PAGES.writer(folder),
    wholePages: WHOLE_PAGES.writer(folder),
    linkUrls: LINK_URLS.writer(folder),
    features: SHARD_FEATURES.writer(folder),
    lists: SHARD_LISTS.writer(folder),
    clusters: SHARD_CLUSTERS.writer(folder),
    templates: SHARD_TEMPLATES.writer(folder),
    bags: new BagWriter(folder),
  };
}
