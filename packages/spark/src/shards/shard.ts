/**
 * The stage `shard`: the index file of one shard, of all that stands in it. Rows come by shard and step:
 *
 *   page ─> elsewhere ─> alias ─> answer ─> link ─> feature ─> list ─> cluster ─> template ─> head
 *
 * The file is made in a folder of the machine, then published beside the others or handed to the command `found.put`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Part, type PartShares, partNames, usedShares } from 'akin-web/rooms/features/parts';
import { ByteReader } from 'akin-web/rooms/indexer/files/records/bytes';
import type { AliasKind, OtherAnswer } from 'akin-web/rooms/indexer/gather/records/answers/aliases';
import { readCollapsedFacts } from 'akin-web/rooms/indexer/gather/records/collapsed-record';
import type { ShapingOptions } from 'akin-web/rooms/indexer/options/build-options';
import { clusteringsOf } from 'akin-web/rooms/indexer/options/copy-parameters';
import { storedParameters } from 'akin-web/rooms/indexer/options/parameters';
import { ShardFolder, type ShardHead } from 'akin-web/rooms/indexer/shards/shard-folder';
import { shardName, writeShard } from 'akin-web/rooms/indexer/shards/write-shard';
import { keptSkips } from 'akin-web/rooms/indexer/steps/skips';
import { clusterKey, copyClusterLabel } from 'akin-web/rooms/indexer/write/clusters/cluster-names';
import { copyRow, topicRow } from 'akin-web/rooms/indexer/write/relation-rows';
import { COPY } from 'akin-web/rooms/relations/copy';
import { TOPIC } from 'akin-web/rooms/relations/topic';
import { type ClusterRecord, COVERS_NOTHING, type MemberRecord } from 'akin-web/rooms/store/records';
import type { RowOf } from '../record/columns.ts';
import { numbersOf } from '../record/packed.ts';
import { defineStage, type Emit } from '../record/stage.ts';

/** The rows of a shard in their order; each is a method of `ShardInMaking`. */
export const SHARD_ROWS = [
  'page',
  'elsewhere',
  'alias',
  'answer',
  'link',
  'feature',
  'list',
  'cluster',
  'template',
  'head',
] as const;

const INPUT = {
  shard: 'int',
  /** Place in `SHARD_ROWS`. */
  step: 'int',
  /** Relation of a list or a cluster. */
  relation: 'int',
  /** Whole id of a page; id of a feature or a cluster. */
  id: 'long',
  /** Of an alias, an answer, a link, a page elsewhere, the center of a cluster; host of a template. */
  url: 'text?',
  /** Title to show, of a cluster that of its center; stem of a feature. */
  title: 'text?',
  lang: 'text?',
  fetched: 'boolean?',
  /** Kind of an alias or an answer; part of a feature. */
  kind: 'text?',
  /** Where an alias or an answer leads; term of a feature. */
  to: 'text?',
  fetched_ms: 'double?',
  /** In-links of a page; pages of a feature. */
  count: 'long?',
  out_count: 'long?',
  /** Of an answer its sweep; of a page that is gone the one that found it so. */
  sweep: 'int?',
  record: 'binary?',
  features: 'binary?',
  weights: 'binary?',
  /** Numbers apart by spaces: pages that a page links to; of a list id, shared and total of each; keys of a template. */
  numbers: 'text?',
  /** Of a cluster: [cluster, members]; of the head: recordCount, skips, partPageCounts, measured. */
  json: 'text?',
} as const;
type Row = RowOf<typeof INPUT>;

const OUTPUT = {
  shard: 'int',
  name: 'text',
  generation: 'text',
  own_page_count: 'long',
  elsewhere_count: 'long',
  size_bytes: 'long',
} as const;

/** What the driver tells of the whole. */
interface Found {
  /** Where the files are put: a folder, or with `put` any URI that this command writes to. */
  readonly folder: string;
  readonly put?: readonly string[];
  readonly shardCount: number;
  readonly pageCount: number;
  /** The same in all shards of one job. */
  readonly index: string;
  /** Names of the sweeps, the oldest first. */
  readonly sweeps: readonly string[];
  readonly startedAtMs: number;
  readonly memoryBytes: number;
}

interface HeadOfShard {
  /** By sweep, what became of the records that were read; of the first shard alone, so that counts add up over the shards. */
  readonly records: Readonly<Record<string, Parameters<typeof keptSkips>[0]>>;
  readonly partPageCounts: Readonly<Record<Part, number>>;
  /** Parameters that the steps measured, such as `neighbors` and `copy_found`. */
  readonly measured: Readonly<Record<string, unknown>>;
}

export const shardStage = defineStage({
  name: 'shard',
  doc: 'the index file of a shard, of all that stands in it',
  order: 'by shard, step, relation, id, url',
  input: INPUT,
  output: OUTPUT,
  open({ options, found }) {
    const whole = found as unknown as Found;
    let making: ShardInMaking | null = null;
    const finish = (emit: Emit<RowOf<typeof OUTPUT>>) => {
      const made = making;
      making = null;
      if (made !== null) emit(made.finish());
    };
    return {
      take(row, emit) {
        if (making !== null && making.number !== row.shard) finish(emit);
        making ??= new ShardInMaking(row.shard, options, whole);
        making.take(row);
      },
      end: finish,
    };
  },
});

class ShardInMaking {
  readonly number: number;
  readonly #options: ShapingOptions;
  readonly #whole: Found;
  readonly #scratch: string;
  readonly #folder: ShardFolder;
  /** By sweep. */
  readonly #captureCounts = new Map<number, number>();
  #ownPageCount = 0;
  #elsewhereCount = 0;
  #hasHead = false;

  constructor(number: number, options: ShapingOptions, whole: Found) {
    this.number = number;
    this.#options = options;
    this.#whole = whole;
    this.#scratch = mkdtempSync(join(tmpdir(), 'akin-shard-'));
    this.#folder = ShardFolder.create(join(this.#scratch, 'work'));
  }

  take(row: Row): void {
    const step = SHARD_ROWS[row.step];
    if (step === undefined) throw new Error(`there is no step ${row.step}`);
    this[step](row);
  }

  page({ id, title, count, out_count, sweep, record, features, weights, numbers }: Row): void {
    const { page, past } = readCollapsedFacts(new ByteReader(record!));
    for (const { sweepId } of page === null ? past : [page, ...past]) {
      this.#captureCounts.set(sweepId, (this.#captureCounts.get(sweepId) ?? 0) + 1);
    }
    this.#ownPageCount++;
    this.#folder.page({
      wholeId: id,
      record: record!,
      title: title!,
      inLinkCount: count!,
      outLinkCount: out_count!,
      lostSweepId: sweep ?? 0,
      targets: Uint32Array.from(numbersOf(numbers ?? '')),
      features: features === null ? new Uint32Array(0) : new Uint32Array(Uint8Array.from(features).buffer),
      weights: weights ?? new Uint8Array(0),
    });
  }

  elsewhere({ id, url, title, lang, fetched }: Row): void {
    this.#elsewhereCount++;
    this.#folder.elsewhere({ wholeId: id, url: url!, title: title!, lang: lang || null, fetched: fetched! });
  }

  alias({ url, to, kind }: Row): void {
    this.#folder.alias(url!, to!, kind as AliasKind);
  }

  answer({ url, kind, sweep, fetched_ms, to }: Row): void {
    this.#folder.otherAnswer({
      url: url!,
      kind: kind as OtherAnswer['kind'],
      sweepId: sweep!,
      fetchedAtMs: fetched_ms!,
      to: to ?? '',
    });
  }

  link({ url }: Row): void {
    this.#folder.linkUrl(url!);
  }

  feature({ kind, title, to, count }: Row): void {
    this.#folder.feature({ part: kind as Part, stem: title!, term: to!, pageCount: count! });
  }

  list({ relation, id, numbers }: Row): void {
    const all = numbersOf(numbers ?? '');
    const width = relation === TOPIC.id ? 4 : 3;
    const every = (of: number) => Array.from({ length: all.length / width }, (_, i) => all[width * i + of]!);
    const [ids, shared, total, nearness] = [0, 1, 2, 3].map(every);
    this.#folder.list(relation, id, {
      ids: Uint32Array.from(ids!),
      shared: Uint16Array.from(shared!),
      total: Uint16Array.from(total!),
      ...(relation === TOPIC.id && { nearness: Uint16Array.from(nearness!) }),
    });
  }

  cluster({ relation, url, title, json }: Row): void {
    const [cluster, members] = JSON.parse(json!) as [
      Omit<ClusterRecord, 'key' | 'relationId'>,
      MemberRecord[],
    ];
    const center = { url: url!, title: title! };
    const names =
      relation === COPY.id
        ? {
            key: clusterKey(COPY.name, clusteringsOf(this.#options)[cluster.level]!.name, center.url),
            label: copyClusterLabel(center),
          }
        : { key: clusterKey(TOPIC.name, cluster.level, center.url) };
    const parentId = cluster.parentId ?? null;
    this.#folder.cluster({ ...cluster, ...names, relationId: relation, parentId }, members);
  }

  template({ url, numbers }: Row): void {
    this.#folder.template(url!, Float64Array.from(numbersOf(numbers ?? '')));
  }

  head({ json }: Row): void {
    this.#hasHead = true;
    this.#folder.close(this.#headOf(JSON.parse(json!) as HeadOfShard));
  }

  #headOf({ records, partPageCounts, measured }: HeadOfShard): ShardHead {
    const options = this.#options;
    const { shardCount: count, pageCount, index, sweeps, startedAtMs } = this.#whole;
    const used: PartShares = usedShares(options.parts, (part) => (partPageCounts[part] ?? 0) === 0);
    const skipped = Object.entries(records).flatMap(([sweep, counts]) =>
      Object.entries(keptSkips(counts)).map(([reason, recordCount]) => {
        return { sweepId: Number(sweep), reason, extension: '', recordCount };
      }),
    );
    const recordCountOf = (id: number) =>
      skipped.reduce(
        (sum, { sweepId, recordCount }) => sum + (sweepId === id ? recordCount : 0),
        this.#captureCounts.get(id) ?? 0,
      );
    return {
      shard: { number: this.number, count, pageCount, index },
      parameters: { ...storedParameters(options, used), ...measured },
      sweeps: sweeps.map((name, i) => {
        return { id: i + 1, name, recordCount: recordCountOf(i + 1), startedAtMs, covered: COVERS_NOTHING };
      }),
      skips: skipped,
      relations: relationsOf(options),
      parts: partNames(options.parts)
        .filter((part) => (partPageCounts[part] ?? 0) > 0)
        .map((name) => ({
          relationId: TOPIC.id,
          name,
          pageCount: partPageCounts[name],
        })),
      clusterings: !options.copies
        ? []
        : clusteringsOf(options).map(({ name, measure, threshold }, level) => ({
            relationId: COPY.id,
            level,
            name,
            measure,
            threshold,
          })),
      stages: [],
    };
  }

  finish(): RowOf<typeof OUTPUT> {
    const { shardCount, folder, put, memoryBytes } = this.#whole;
    const name = shardName(this.number, shardCount);
    try {
      if (!this.#hasHead) throw new Error(`shard ${this.number} has no head`);
      const isLocal = put === undefined;
      const target = isLocal ? join(localPath(folder), name) : join(this.#scratch, name);
      if (isLocal) mkdirSync(localPath(folder), { recursive: true });
      const generation = writeShard(this.#folder, target, { builtAtMs: Date.now(), memoryBytes });
      const sizeBytes = statSync(target).size;
      if (!isLocal) handOver(put, target, `${folder.replace(/\/$/, '')}/${name}`);
      return {
        shard: this.number,
        name,
        generation,
        own_page_count: this.#ownPageCount,
        elsewhere_count: this.#elsewhereCount,
        size_bytes: sizeBytes,
      };
    } finally {
      rmSync(this.#scratch, { recursive: true, force: true });
    }
  }
}

function relationsOf(options: ShapingOptions): ShardHead['relations'] {
  return options.copies ? [topicRow(options), copyRow(options)] : [topicRow(options)];
}

function localPath(folder: string): string {
  return folder.startsWith('file:') ? fileURLToPath(folder.replace(/^file:\/*/, 'file:///')) : folder;
}

/** Errors  Error where the command ends with another code than 0. */
function handOver([command, ...words]: readonly string[], file: string, to: string): void {
  const { status, stderr, error } = spawnSync(command!, [...words, file, to], { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${to} cannot be written: ${error?.message ?? stderr.trim().slice(-500)}`);
}
