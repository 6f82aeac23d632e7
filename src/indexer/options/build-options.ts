import type { PartShares } from '../../features/parts.ts';
import type { COPY_JOINS } from '../../relations/copy.ts';

export interface BuildInput {
  /** A WARC or ARC file, a JSONL file, a folder, an index, or `-` for standard input. */
  readonly path: string;
  /** URL that stands for the root of a folder; null elsewhere. */
  readonly baseUrl: string | null;
  readonly format: 'warc' | 'jsonl' | null;
  /** Whether `/a.html` of a folder is the page `/a`. Default false. */
  readonly cleanUrls?: boolean;
}

export const PROFILES = ['akin', 'haveliwala2000'] as const;
export type ProfileName = (typeof PROFILES)[number];

export const COPY_PROFILE_NAMES = ['akin', 'broder1997', 'cs276'] as const;
type CopyProfileName = (typeof COPY_PROFILE_NAMES)[number];

type CopyJoin = (typeof COPY_JOINS)[number];

/** What is read, and which sweeps it makes. */
export interface InputOptions {
  readonly inputs: readonly BuildInput[];
  /** Name of the sweep of all inputs that are no index; '' takes the next of `sweep-1`, `sweep-2`, ... */
  readonly sweepName: string;
  /** Each input that is no index is a sweep of its own, named by its file, in this order. */
  readonly isSweepPerInput: boolean;
  /** The new sweeps hold all pages of the sites that they cover: other URLs of these sites are gone. */
  readonly isWhole: boolean;
  /** Canonical URLs that are left out of the indexes among the inputs, with all links to them. */
  readonly without: readonly string[];
  /** Canonical URLs of pages of these indexes that are read as if they had no links. Default none. */
  readonly unlinked?: readonly string[];
}

/** What a build may use; the index is the same for any. */
export interface Resources {
  /** Budget of the build's own tables and buffers. Default 1 GiB, min 64 MiB. */
  readonly memoryBytes: number;
  readonly workerCount: number;
}

/** How pages are read and their words counted. */
export interface ReadingOptions {
  /** What a page is described by: shares of its weight. */
  readonly parts: PartShares;
  readonly maxPageBytes: number;
  /** Text of a stop word file, one word a line; null for the built-in list. */
  readonly stopWords: string | null;
  /** Words before and after an anchor that are credited to its target. Default 8. */
  readonly windowWords: number;
}

/** Which words become features. */
export interface FrequencyBounds {
  /** Features of fewer pages are dropped. Default 2. */
  readonly minPageCount: number;
  /** Features of a larger share of the pages are dropped. Default 0.50 (akin), 0.30 (haveliwala2000). */
  readonly maxPageShare: number;
}

/** How pages are related by topic. */
export interface TopicOptions {
  readonly profile: ProfileName;
  /** K: neighbors kept a page. Default 32 (akin), 100 (haveliwala2000). */
  readonly neighborLimit: number;
  /** Similarity below which no neighbor is kept. Default 0.03 (akin), 0.20 (haveliwala2000). */
  readonly floor: number;
  /** Share of the true ten nearest, and of the pairs, to find at least; 1 searches exactly at any cost. Default 0.97. */
  readonly targetRecall: number;
  /** Akin only: CENTER scans every pair from this similarity up, not the K nearest alone; null leaves that out. */
  readonly pairSimilarity: number | null;
  /** CENTER joins pages at or above this similarity. Default 0.20. */
  readonly clusterSimilarity: number;
  /** haveliwala2000 only: bytes of each value that the filter compares (3, or 1 to save memory). */
  readonly filterBytes: 1 | 3;
  /** haveliwala2000 only: values that the filter compares, at most m = 80. */
  readonly filterValues: number;
  readonly seed: number;
  /** Classes of pages that seed the topics; null for none. */
  readonly classes: readonly (readonly [url: string, path: string])[] | null;
}

/** How copies are found. */
export interface CopyOptions {
  /** Whether the copy relation is made; the other settings are about it. Default true. */
  readonly copies: boolean;
  readonly copyProfile: CopyProfileName;
  /** w, tokens a shingle, 1 .. 28. Default 10. */
  readonly shingleSize: number;
  /** Resemblance from which two pages are copies. Default 0.5. */
  readonly copySimilarity: number;
  /** Names of the clusterings of copies, see relations/copy.ts; none: one, at `copySimilarity`. */
  readonly copyClusterings: readonly string[];
  /** What pages must share to be compared. Default shingles. */
  readonly copyJoin: CopyJoin;
  /** Whether texts are kept, to show what copies share. Default true. */
  readonly keepText: boolean;
  /** Whether pages that share little but what recurs over their site are no copies. Default true (akin), false (others). */
  readonly templateFilter: boolean;
  /** Bits of 384 in which the word simhashes of two pages of one host must agree; 0 asks for none. Default 0. */
  readonly sameSiteBits: number;
}

/** How pages are shown, and found by their words. */
export interface DisplayOptions {
  /** Whether pages are found by the words of their titles and texts, where texts are kept. Default true. */
  readonly search: boolean;
  /** Whether titles are shown as they are, with what all titles of their host share. Default false. */
  readonly keepTitles: boolean;
}

/** What shapes an index; it is stored there. */
export interface ShapingOptions
  extends ReadingOptions,
    FrequencyBounds,
    TopicOptions,
    CopyOptions,
    DisplayOptions {}

/** All settings of a build. Functions take the groups that they use. */
export interface BuildOptions extends InputOptions, Resources, ShapingOptions {
  /** The index file to publish; the work folder is `<target>.work` beside it. */
  readonly target: string;
}
