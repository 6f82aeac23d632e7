import type { FieldKind } from '../page/fields/page-fields.ts';
import type { NamedClustering } from '../relations/copy.ts';
import type { KernelName } from '../relations/kernels.ts';
import type { RelationName } from '../relations/relations.ts';
import type { ShingleSketch } from '../sketch/shingle-sketch.ts';

/** The rows of an index as readers see them. Similarities are exact fractions: numerator / denominator. */

export interface StoredPage {
  /** 0..n-1, in URL order. */
  readonly id: number;
  readonly url: string;
  readonly site: string;
  readonly siteId: number;
  /** To show. */
  readonly title: string;
  /** As the page gives it: with what all titles of its host share. */
  readonly fullTitle: string;
  readonly lang: string | null;
  readonly fetched: boolean;
  readonly wordCount: number;
  readonly inLinkCount: number;
  readonly outLinkCount: number;
}

/** A page that was found by its words. */
export interface FoundPage {
  readonly pageId: number;
  /** BM25, the title counted more than the text; the higher the better. */
  readonly score: number;
}

export interface RelationRecord {
  readonly id: number;
  readonly name: RelationName;
  readonly profile: string;
  readonly measure: 'exact' | 'estimate';
  readonly neighborLimit: number;
  /** Neighbors below this similarity are not kept. */
  readonly floor: number;
  /** What its stored lists are ordered by: the votes of `join/pairs/votes.ts`, or similarity. */
  readonly rank: 'votes' | 'similarity';
  /** What near is to these votes; null where lists are ordered by similarity. */
  readonly kernel: KernelName | null;
}

/** A name of fields that pages have. */
export interface FieldRecord {
  readonly name: string;
  /** As it was declared; null where it was not, so that pages are not found by its values. */
  readonly kind: FieldKind | null;
  readonly pageCount: number;
}

export interface FeatureRecord {
  readonly id: number;
  /** See features/parts.ts. */
  readonly part: string;
  /** Of a part by links: the id of the page that it joins. */
  readonly stem: string;
  /** The form to show a person; '' of a part by links. */
  readonly term: string;
  /** Document frequency. */
  readonly pageCount: number;
}

/** Stands for the time of a capture whose source gave none: the web is younger than 1970. */
export const UNDATED_MS = 0;

export interface CaptureRecord {
  readonly sweepId: number;
  readonly sweep: string;
  /** `UNDATED_MS` where it is not known. */
  readonly fetchedAtMs: number;
  readonly mediaType: string;
  readonly charset: string;
  readonly bodyBytes: number;
  /** -1 in an index built without copies. */
  readonly versionId: number;
}

/** One distinct text: title and canonical text. */
export interface VersionRecord {
  /** 0..n-1. */
  readonly id: number;
  /** Of title and text; of the token sequence; of the shingle set: 16 hexadecimal digits each. */
  readonly textDigest: string;
  readonly tokenDigest: string;
  readonly shingleDigest: string;
  readonly tokenCount: number;
  /** Uint32Array(12), see sketch/word-simhash.ts; null where pairs of one site are not checked by it. */
  readonly simhash: Uint32Array | null;
  /** Of the whole text, template included. */
  readonly sketch: ShingleSketch;
}

export interface AliasRecord {
  readonly url: string;
  readonly kind: 'redirect' | 'canonical';
}

export interface ClusterRecord {
  readonly id: number;
  readonly relationId: number;
  readonly level: number;
  /** Public id. */
  readonly key: string;
  readonly centerId: number;
  readonly parentId: number | null;
  readonly size: number;
  readonly radius: number;
  readonly label: string;
}

export interface MemberRecord {
  readonly pageId: number;
  readonly similarity: number;
}

export interface StageRecord {
  /** Of a part of a stage, whose time the stage has as well, see `phaseName`. */
  readonly name: string;
  readonly recordCount: number;
  readonly durationMs: number;
  /** Of the whole process meanwhile: of all threads, those of work beside the stage among them. */
  readonly processorMs: number;
}

/** `copies: pairs`: so a row of the stage table names a phase of a stage. */
export function phaseName(stage: string, phase: string): string {
  return `${stage}: ${phase}`;
}

/** Whether a row of the stage table is a phase, and counts in no sum. */
export function isPhase({ name }: Pick<StageRecord, 'name'>): boolean {
  return name.includes(': ');
}

/** Records of a sweep that are no pages, and why. */
export interface SkipRecord {
  readonly sweepId: number;
  readonly reason: string;
  /** Of files of a folder that are no pages; else ''. */
  readonly extension: string;
  readonly recordCount: number;
}

/** Where a sweep has all there is: a page of these that it did not meet was not there, as far as it could see. */
export interface Coverage {
  /** Of a sweep that is the whole state of its sites. */
  readonly sites: readonly string[];
  /** Of a crawl that left nothing out. */
  readonly hosts: readonly string[];
}

export const COVERS_NOTHING: Coverage = { sites: [], hosts: [] };

export interface StoredSweep {
  readonly id: number;
  readonly name: string;
  readonly recordCount: number;
  readonly startedAtMs: number;
  readonly covered: Coverage;
}

export interface SweepRecord extends Omit<StoredSweep, 'id'> {
  readonly skipped: Readonly<Record<string, number>>;
  /** Of these, files of folders that are no pages, by extension (`.md`). */
  readonly skippedFiles: Readonly<Record<string, number>>;
}

/** One of the clusterings of copies; the clusters of level n are those of the nth. */
export interface CopyClusteringRecord extends NamedClustering {
  /** Clusters of two pages and more, and pages in them. */
  readonly clusterCount: number;
  readonly pageCount: number;
}

/** Which of several index files that are served as one a file is. */
export interface ShardPlace {
  /** 0 .. count - 1. */
  readonly number: number;
  readonly count: number;
  /** By which URLs are given to shards, see url/shard.ts. */
  readonly hash: string;
  /** Of all shards. */
  readonly pageCount: number;
  /** Pages 0 .. ownPageCount - 1 are its own; those behind them are of other shards. */
  readonly ownPageCount: number;
  /** Names the whole: the same in all its shards. */
  readonly index: string;
}

/** What an index says about itself. */
export interface IndexCard {
  readonly generation: string;
  readonly builtAtMs: number;
  readonly akinVersion: string;
  /** Null where the file is a whole index. */
  readonly shard: ShardPlace | null;
  /** Without those that are gone; of a shard its own. */
  readonly pageCount: number;
  /** Pages that were read and are not gone. */
  readonly fetchedPageCount: number;
  readonly gonePageCount: number;
  readonly aliasCount: number;
  /** Of the first relation, on its finest level. */
  readonly clusterCount: number;
  readonly sizeBytes: number;
  readonly relations: readonly RelationRecord[];
  /** None in an index without copies. */
  readonly copyClusterings: readonly CopyClusteringRecord[];
  readonly sweeps: readonly SweepRecord[];
  /** Names of fields: those that were declared, and the first 1,000 others that were met. */
  readonly fields: readonly FieldRecord[];
  /** Parameter name to its JSON value. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly stages: readonly StageRecord[];
}
