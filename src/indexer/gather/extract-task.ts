import type { SkipReason } from '../../sources/record.ts';
import type { CopySettings } from './copy-record.ts';

/** What travels between the reading thread and the extracting ones. */

export interface ExtractCapture {
  readonly url: string;
  readonly sequence: number;
  readonly status: number;
  readonly mediaType: string | null;
  readonly charset: string | null;
  readonly location: string | null;
  readonly canonical: string | null;
  readonly robots: string | null;
  readonly lang: string | null;
  readonly fetchedAtMs: number;
  readonly title: string | null;
  readonly links: readonly string[];
  /** Bytes of the body in the batch's buffer. */
  readonly start: number;
  readonly end: number;
}

export interface ExtractTask {
  readonly captures: readonly ExtractCapture[];
  readonly bodies: Uint8Array<ArrayBuffer>;
}

/** What became of one capture. */
export type Outcome =
  | {
      readonly kind: 'page';
      readonly sequence: number;
      readonly url: string;
      readonly canonical: string | null;
      readonly fetchedAtMs: number;
      readonly bodyBytes: number;
    }
  | {
      readonly kind: 'redirect';
      readonly sequence: number;
      readonly url: string;
      readonly to: string;
      readonly fetchedAtMs: number;
    }
  | {
      readonly kind: 'skip';
      readonly sequence: number;
      readonly url: string;
      readonly reason: SkipReason;
      readonly detail: string;
      readonly fetchedAtMs: number;
    };

export interface ExtractResult {
  readonly outcomes: readonly Outcome[];
  /** Page, fragment and gone records, one after the other. */
  readonly records: Uint8Array<ArrayBuffer>;
  /** Of record i: its bucket, and where it ends in `records`. */
  readonly buckets: Uint16Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** Vocabulary records of the words met; of record i its bucket and end. */
  readonly forms: Uint8Array<ArrayBuffer>;
  readonly formBuckets: Uint16Array<ArrayBuffer>;
  readonly formEnds: Uint32Array<ArrayBuffer>;
}

export interface ExtractSettings {
  readonly bucketCount: number;
  readonly stopWords: string | null;
  readonly windowWords: number;
  /** Whether links are credited to their targets. */
  readonly anchors: boolean;
  /** Null in an index without copies. */
  readonly copies: CopySettings | null;
  /** Digests, in hexadecimal, of texts that are known already: nothing is made ready to compare them. */
  readonly knownTexts: readonly string[];
}

/** Bucket of a URL or a stem by its `key53`. */
export function bucketOf(key: number, bucketCount: number): number {
  return (key >>> 0) % bucketCount;
}
