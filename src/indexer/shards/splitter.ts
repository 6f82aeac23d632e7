import type { Part } from '../../features/parts.ts';
import { keptIn } from '../../lib/kept.ts';
import { COPY, EVERY_HOST } from '../../relations/copy.ts';
import { TOPIC } from '../../relations/topic.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import { shardOf } from '../../url/shard.ts';
import { hostOf } from '../../url/site.ts';
import { ByteReader } from '../files/records/bytes.ts';
import { LINK_URLS, OTHER_ANSWERS, PAGES } from '../files/records/stage-files.ts';
import type { WorkFolder } from '../files/work-folder.ts';
import { Aliases } from '../gather/records/answers/aliases.ts';
import { readCollapsedFacts } from '../gather/records/collapsed-record.ts';
import { NAMING_ROWS, type NamingRow } from './naming-rows.ts';
import { ShardFolder } from './shard-folder.ts';

/** Deals the rows of an index and the pages that were gathered from it out to shards. */
export class Splitter {
  readonly #reader: IndexReader;
  readonly #work: WorkFolder;
  readonly #count: number;
  readonly #pageCount: number;
  readonly #folders: ShardFolder[];
  /** Of each page. */
  readonly #shards: Uint8Array;
  /** Of each shard, a bit a page: those of others that it names. */
  readonly #named: Uint8Array[];
  /** Captures in each shard, by sweep. */
  readonly #captureCounts: Map<number, number>[];

  constructor(reader: IndexReader, work: WorkFolder, count: number, pageCount: number) {
    const each = <Value>(make: (number: number) => Value) => Array.from({ length: count }, (_, i) => make(i));
    this.#reader = reader;
    this.#work = work;
    this.#count = count;
    this.#pageCount = pageCount;
    this.#folders = each((number) => ShardFolder.create(work.file(`shard-${number}`)));
    this.#shards = new Uint8Array(pageCount);
    this.#named = each(() => new Uint8Array(Math.ceil(pageCount / 8)));
    this.#captureCounts = each(() => new Map());
  }

  fill(): ShardFolder[] {
    if (this.#pageCount !== this.#reader.pageCount) {
      throw new Error(`${this.#pageCount} pages were gathered of ${this.#reader.pageCount}`);
    }
    for (const { id, url } of this.#reader.pages()) this.#shards[id] = shardOf(url, this.#count);
    this.#nameElsewhere();
    this.#pages();
    this.#elsewherePages();
    this.#urls();
    this.#features();
    this.#lists();
    this.#clusters();
    this.#templates();
    for (const [number, folder] of this.#folders.entries()) this.#close(folder, number);
    return this.#folders;
  }

  #name(shard: number, pageId: number): void {
    if (this.#shards[pageId] !== shard) this.#named[shard]![pageId >> 3]! |= 1 << (pageId & 7);
  }

  #nameElsewhere(): void {
    const naming: Readonly<Record<NamingRow, () => void>> = {
      list: () => this.#nameListed(),
      cluster: () => this.#nameCenters(),
      alias: () => this.#nameEnds(),
    };
    for (const row of Object.keys(NAMING_ROWS) as NamingRow[]) naming[row]();
  }

  #nameListed(): void {
    for (const { id } of this.#reader.card().relations) {
      for (const { pageId, list } of this.#reader.allNeighbors(id)) {
        for (const other of list.ids) this.#name(this.#shards[pageId]!, other);
      }
    }
  }

  #nameCenters(): void {
    for (const { cluster, membersOf } of this.#clustersByShard()) {
      for (const shard of membersOf.keys()) this.#name(shard, cluster.centerId);
    }
  }

  #nameEnds(): void {
    for (const { url, pageId } of this.#reader.allAliases()) this.#name(shardOf(url, this.#count), pageId);
  }

  #pages(): void {
    const reader = this.#reader;
    let id = 0;
    for (const record of PAGES.records(this.#work)) {
      const shard = this.#shards[id]!;
      const { url, page, past } = readCollapsedFacts(new ByteReader(record));
      const row = reader.page(id);
      if (row.url !== url) throw new Error(`page ${id} was gathered as ${url}, the index has ${row.url}`);
      const { title, inLinkCount, outLinkCount } = row;
      const { features, weights } = reader.bag(TOPIC.id, id);
      const targets = reader.links(id);
      const counts = { inLinkCount, outLinkCount, lostSweepId: reader.lostIn(id) };
      this.#folders[shard]!.page({ wholeId: id, record, title, ...counts, targets, features, weights });
      const captureCounts = this.#captureCounts[shard]!;
      for (const { sweepId } of page === null ? past : [page, ...past]) {
        captureCounts.set(sweepId, (captureCounts.get(sweepId) ?? 0) + 1);
      }
      id++;
    }
  }

  #elsewherePages(): void {
    for (const { id, url, title, lang, fetched } of this.#reader.pages()) {
      for (const [shard, named] of this.#named.entries()) {
        if ((named[id >> 3]! & (1 << (id & 7))) === 0) continue;
        this.#folders[shard]!.elsewhere({ wholeId: id, url, title, lang, fetched });
      }
    }
  }

  #urls(): void {
    const aliases = new Aliases(this.#work);
    for (const [url, to, kind] of aliases.all()) {
      const end = this.#reader.findPage(to);
      const shards = new Set([shardOf(url, this.#count)]);
      if (end >= 0) shards.add(this.#shards[end]!);
      for (const shard of shards) this.#folders[shard]!.alias(url, to, kind);
    }
    aliases.close();
    for (const answer of OTHER_ANSWERS.records(this.#work)) {
      this.#folders[shardOf(answer.url, this.#count)]!.otherAnswer(answer);
    }
    for (const { url } of LINK_URLS.records(this.#work)) {
      for (const folder of this.#folders) folder.linkUrl(url);
    }
  }

  #features(): void {
    for (const feature of this.#reader.allFeatures(TOPIC.id)) {
      for (const folder of this.#folders) folder.feature({ ...feature, part: feature.part as Part });
    }
  }

  #lists(): void {
    for (const { id } of this.#reader.card().relations) {
      for (const { pageId, list } of this.#reader.allNeighbors(id)) {
        this.#folders[this.#shards[pageId]!]!.list(id, pageId, list);
      }
    }
  }

  #clusters(): void {
    for (const { cluster, membersOf } of this.#clustersByShard()) {
      for (const [shard, members] of membersOf) {
        this.#folders[shard]!.cluster(
          cluster,
          members.sort((a, b) => a.pageId - b.pageId),
        );
      }
    }
  }

  /** Clusters in the order of ids, each with its members by shard: a parent has all members of its children, so it is where they are. */
  *#clustersByShard() {
    const { clusters } = this.#reader;
    for (const cluster of clusters.all()) {
      const members = clusters.members(cluster.id, cluster.size, 0);
      yield { cluster, membersOf: Map.groupBy(members, ({ pageId }) => this.#shards[pageId]!) };
    }
  }

  #templates(): void {
    const templates = this.#reader.versions.allTemplates();
    const shardsOfHost = new Map<string, Set<number>>();
    for (const { id, url } of this.#reader.pages()) {
      const host = hostOf(url);
      if (templates.has(host)) keptIn(shardsOfHost, host, () => new Set()).add(this.#shards[id]!);
    }
    shardsOfHost.set(EVERY_HOST, new Set(this.#folders.keys()));
    for (const [host, keys] of templates) {
      for (const shard of shardsOfHost.get(host) ?? []) this.#folders[shard]!.template(host, keys);
    }
  }

  #close(folder: ShardFolder, number: number): void {
    const reader = this.#reader;
    const { parameters, relations, copyClusterings, stages, generation } = reader.card();
    const skips = number === 0 ? reader.skips() : [];
    const skippedIn = (sweepId: number) =>
      skips.reduce((sum, skip) => sum + (skip.sweepId === sweepId ? skip.recordCount : 0), 0);
    const copy = relations.find(({ name }) => name === COPY.name);
    folder.close({
      shard: { number, count: this.#count, pageCount: reader.pageCount, index: generation },
      parameters,
      sweeps: reader.sweeps().map((sweep) => ({
        ...sweep,
        recordCount: (this.#captureCounts[number]!.get(sweep.id) ?? 0) + skippedIn(sweep.id),
      })),
      skips,
      relations,
      parts: relations.flatMap(({ id }) => reader.parts(id).map((part) => ({ relationId: id, ...part }))),
      clusterings: copyClusterings.map(({ name, measure, threshold }, level) => ({
        relationId: copy!.id,
        level,
        name,
        measure,
        threshold,
      })),
      stages,
    });
  }
}
