/**
 * What every source yields. A source streams: it holds one record at a time, never more than
 * `maxPageBytes` of it, and turns what it cannot read into a fault instead of throwing.
 */
import type { PageCard } from '../../page/card/page-card.ts';

/** Why a record did not become a page. The word stands in reports and in the index. */
export type SkipReason =
  | 'unreadable' // the record or its JSON line is broken
  | 'digest' // its bytes are not those of the digest that it gives
  | 'truncated' // the archive ends inside this record
  | 'url' // no URL, or none that can be normalized to http(s)
  | 'status' // an HTTP status that is neither 200 nor a redirect
  | 'media_type' // neither HTML, XHTML nor plain text
  | 'too_large' // above maxPageBytes
  | 'binary' // declared as text, but is not
  | 'noindex' // the page asks not to be indexed
  | 'revisit' // a WARC revisit: the payload is in another record of the same URL, or it is not said where
  | 'duplicate' // a later record of the same URL in the same run took its place
  | 'redirect' // became an alias of its target
  | 'canonical' // became an alias of the page that it names as its canonical one
  | 'empty'; // no body

/** One fetched page, before anything is known about its content. */
export interface Capture {
  readonly kind: 'capture';
  /** As the source gives it, not yet normalized. */
  readonly url: string;
  readonly status: number;
  /** Lower case, without parameters; null where the source does not know. */
  readonly mediaType: string | null;
  /** From the HTTP header (or UTF-8 where the source has decoded already). */
  readonly charset: string | null;
  /** Whether the body was given as text, and is that in UTF-8: so it is never taken for binary data, or for another charset. */
  readonly isText: boolean;
  /** Redirect target of a 3xx, as given. */
  readonly location: string | null;
  /** Canonical target of an HTTP `Link: rel=canonical` header, or given by JSONL, as given. */
  readonly canonical: string | null;
  /** URL of the file, where a server shows it under `url`: `/a/index.html` for `/a/`; else null. */
  readonly fileUrl: string | null;
  /** Values of X-Robots-Tag, or given by JSONL. */
  readonly robots: readonly string[];
  /** Content-Language header. */
  readonly lang: string | null;
  readonly fetchedAtMs: number | null;
  /** The whole of its ArrayBuffer, so that it can be moved to a worker. */
  readonly body: Uint8Array;
  /** Given beside the body by JSONL; wins over what the page says. */
  readonly title: string | null;
  /** Extra out-links given by JSONL, as given. */
  readonly links: readonly string[];
  /** Features of its owner's, as `packFeatures` packs them: '' for none. Those that cannot be used are left out. */
  readonly features: string;
  /** What was wrong with these; null where nothing was. */
  readonly badFeatures: string | null;
  /** Vectors of its owner's, as `packVectors` packs them: '' for none. Those that cannot be used are left out. */
  readonly vectors: string;
  /** What was wrong with the first of these; null where nothing was. */
  readonly badVectors: string | null;
  /** Fields of its owner's, as `packFields` packs them: '' for none. Those that cannot be used are left out. */
  readonly fields: string;
  /** What was wrong with these; null where nothing was. */
  readonly badFields: string | null;
  /** The same of what a page says of itself for others to show, as given; null where nothing is. */
  readonly card: GivenCard | null;
  /** What was wrong with the first date of these; null where nothing was. */
  readonly badDates: string | null;
  /** Of a record of JSON: its members that are not read. */
  readonly unknownMembers?: readonly string[];
}

/** Of a capture whose source gives nothing beside its body. */
export const NOTHING_BESIDE = {
  isText: false,
  title: null,
  links: [],
  features: '',
  badFeatures: null,
  vectors: '',
  badVectors: null,
  fields: '',
  badFields: null,
  card: null,
  badDates: null,
} satisfies Partial<Capture>;

/** Texts as the source has them: they need not be a URL, or dates. */
export type GivenCard = Omit<PageCard, 'siteName'>;

/** A record that was met and cannot be used: counted and named, never passed over in silence. */
export interface Fault {
  readonly kind: 'fault';
  readonly reason: SkipReason;
  /** As the source gives it; null where the record does not get as far as a URL. */
  readonly url: string | null;
  /** For an HTTP status: which. */
  readonly status?: number;
  /** For an HTTP status, and what is as before: when it was answered, null where the source does not know. */
  readonly fetchedAtMs?: number | null;
  /** Of a revisit, and of the HTTP status 304: its URL has what it had when it was visited last. A fault only where nothing is known of that. */
  readonly isAsBefore?: true;
  /** Of what is as before: when the capture was fetched whose content it has; null where it names none. */
  readonly refersToMs?: number | null;
  /** Of a file that is no page: how its name ends, `.md`, or `no extension`. */
  readonly extension?: string;
  /** The bytes of the input are damaged here: how many records are lost is not known. */
  readonly isDamage?: true;
  /** Where: file name and line, offset or record number; the URL where there is one. */
  readonly where: string;
  readonly detail: string;
}

/** How far the reader has come in the bytes of its input (compressed bytes for compressed files). */
interface SourceProgress {
  bytesRead: number;
  /** Null where it cannot be known (standard input). */
  readonly bytesTotal: number | null;
}

export type SourceItem = Capture | Fault;

/** A line of an input of JSON, not read. */
export interface JsonLine {
  readonly kind: 'line';
  /** In the input, from 1. */
  readonly number: number;
  /** Good until the next line is asked for. */
  readonly bytes: Uint8Array;
}

/** What an archive says of its crawl: it left nothing out of these hosts, and has so many files. */
export interface CrawlCoverage {
  readonly hosts: readonly string[];
  readonly fileCount: number;
  /** Names the sweep of the crawl, which says so again where it goes on: its last word counts. '' in an archive of an older akin. */
  readonly crawl: string;
}

/** The name under which a crawl writes it down, in a `metadata` record at its end; the block is JSON. */
export const COVERAGE_URI = 'urn:akin:coverage';

export interface Source {
  /** For messages: the path as given, or `-`. */
  readonly name: string;
  readonly progress: SourceProgress;
  /** Of the crawls that ended in what was read so far. */
  readonly covered: readonly CrawlCoverage[];
  items(): AsyncIterable<SourceItem>;
  /** The same as lines that are not read, where they are lines of JSON. */
  lines?(): AsyncIterable<JsonLine | Fault>;
}

export interface SourceOptions {
  /** Larger bodies become a `too_large` fault, read past but never held. */
  readonly maxPageBytes: number;
  /** URL that stands for the root of a folder; see `sources/folder.ts`. Null where none was given. */
  readonly baseUrl: string | null;
  /** Whether `/a.html` of a folder is the page `/a`. Default false. */
  readonly cleanUrls?: boolean;
  /** Whether links may lead out of a folder. Default false. */
  readonly followLinks?: boolean;
  /** What the input has to be; null to take what its first bytes say. `warc` includes ARC. */
  readonly format: 'warc' | 'jsonl' | null;
}
