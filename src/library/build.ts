import { existsSync, statSync } from 'node:fs';
import { inSweeps } from '../crawl/folder/index-sweeps.ts';
import { InputError, optionFault } from '../errors.ts';
import { buildIndex as build } from '../indexer/build-index.ts';
import type { BuildListener } from '../indexer/files/stage-runner.ts';
import type { MarkCounts } from '../indexer/gather/extract/extract-report.ts';
import { isIndexInput } from '../indexer/gather/extract/index-input.ts';
import type { BuildInput, BuildOptions } from '../indexer/options/build-options.ts';
import { storedSweeps } from '../indexer/options/stored-options.ts';
import type { PageFields } from '../page/fields/page-fields.ts';
import type { BuildSettings } from './generated.ts';
import { requireArray, requireIterable, requirePath } from './given.ts';
import { settingsOf } from './settings.ts';

/** A page as a program gives it: `html` or `text`, and what else is known of it (docs/formats/input.md). */
export interface PageRecord {
  readonly url: string;
  readonly html?: string | null;
  readonly text?: string | null;
  /** Goes before the title in the HTML. */
  readonly title?: string | null;
  /** Of a page that does not say it itself. */
  readonly lang?: string | null;
  /** An ISO date or time, one as HTTP writes it, or seconds or milliseconds since 1970. */
  readonly fetched_at?: string | number | null;
  /** URLs beside those in the HTML. */
  readonly links?: readonly string[] | null;
  readonly image?: string | null;
  readonly description?: string | null;
  readonly published_at?: string | null;
  readonly modified_at?: string | null;
  /** Features of your own: groups of names with weights. */
  readonly features?: Readonly<Record<string, number | Readonly<Record<string, number>>>> | null;
  /** Vectors of your own by their names: numbers, or base64 of float32, little-endian; one length for all of a name. */
  readonly vectors?: Readonly<Record<string, readonly number[] | string>> | null;
  /** Fields of your own, to show and to narrow lists by: texts, numbers, true or false, or lists of these. */
  readonly fields?: PageFields | null;
  /** Of a response that is no page: 404, or 301 with `location`. */
  readonly status?: number | null;
  readonly location?: string | null;
  /** The URL that speaks for the page, as a Link header says it. */
  readonly canonical?: string | null;
  /** What X-Robots-Tag says: nofollow, noindex. */
  readonly robots?: string | null;
  /** Another URL of the page, which leads to it: `/a/index.html` of `/a/`. */
  readonly file_url?: string | null;
  /** How `html` is read: by default as text/html. */
  readonly media_type?: 'text/html' | 'application/xhtml+xml' | null;
}

/** A folder of HTML files and the URL that stands for it. */
export interface FolderInput {
  readonly folder: string;
  readonly base: string;
  /** Whether `/a.html` is the page `/a`. */
  readonly cleanUrls?: boolean;
  /** Whether links of the file system may lead out of the folder. */
  readonly followLinks?: boolean;
}

/** A WARC, ARC or JSONL file or an index by its path, a folder, or records. */
export type IndexInput = string | FolderInput | Iterable<PageRecord> | AsyncIterable<PageRecord>;

/** Is called while a build runs; `total` is null where it cannot be known. */
export interface BuildEvents {
  stageStarted?(stage: {
    name: string;
    unit: string;
    total: number | null;
    /** Whether an earlier run completed it. */
    resumed: boolean;
  }): void;
  stageProgress?(done: number, total: number | null): void;
  stageEnded?(stage: { name: string; recordCount: number; durationMs: number }): void;
  /** A record that is no page: why, and where it stands. */
  fault?(fault: { reason: string; url: string | null; where: string; detail: string }): void;
}

/** What a build found and made, as `akin index --json` prints it; the most useful of it has types. */
export interface IndexReport {
  readonly target: string;
  /** Names the state of the index. */
  readonly generation: string;
  readonly sweeps: readonly string[];
  readonly recordCount: number;
  /** Pages, those that were read, and URLs that lead to another page. */
  readonly pageCount: number;
  readonly fetchedPageCount: number;
  readonly aliasCount: number;
  readonly pairCount: number;
  readonly clusterCount: number;
  /** Share of the weight of a page, and pages that have it, by part. */
  readonly parts: readonly { readonly name: string; readonly share: number; readonly pageCount: number }[];
  /** Records that are no pages, by reason. */
  readonly skipped: Readonly<Partial<Record<string, number>>>;
  /** Marks of parts in the pages that were read. */
  readonly marks: MarkCounts;
  readonly bodyBytes: number;
  readonly indexBytes: number;
  readonly durationMs: number;
  readonly stages: readonly { name: string; recordCount: number; durationMs: number }[];
}

export interface IndexOrder extends BuildSettings {
  readonly inputs: readonly IndexInput[];
  /** The index file. It is replaced at the end, by a rename; the work folder `<to>.work` stands beside it meanwhile. */
  readonly to: string;
  /** Name of this sweep of pages; by default the next of `sweep-1`, `sweep-2`, ... Archives of `akin crawl` are of the sweeps that their names say, and this is the name of the last. */
  readonly sweep?: string;
  /** Is called while the build runs, with stages and their progress, and records that are no pages. */
  readonly on?: BuildEvents;
}

/**
 * Builds an index as `akin index` does, and says what it found. A build that was killed goes on where it was, unless records
 * are among its inputs.
 *
 * Errors  InputError for inputs that cannot be used, ConfigError for settings, TransientError for a full disk or another build of
 *         the same file. The file that stood there stays.
 */
export async function buildIndex({
  inputs,
  to,
  sweep = '',
  on,
  ...settings
}: IndexOrder): Promise<IndexReport> {
  requireArray('inputs', inputs);
  requirePath('to', to);
  const given = inputs.map(inputOf);
  const options: BuildOptions = {
    ...settingsOf(settings),
    inputs: inSweeps(given, {
      sweepName: sweep,
      isPerInput: false,
      known: () => given.filter(isIndexInput).flatMap(({ path }) => storedSweeps(path)),
    }),
    target: to,
    sweepName: sweep,
  };
  return build(options, listenerOf(on));
}

/** Calls the methods that are there, as those of what they stand in: they may be of a class. */
export function listenerOf(on: BuildEvents = {}): BuildListener {
  return {
    stageStarted: (stage) => on.stageStarted?.(stage),
    stageProgress: (done, total) => on.stageProgress?.(done, total),
    stageEnded: (stage) => on.stageEnded?.(stage),
    fault: (fault) => on.fault?.(fault),
  };
}

const INPUT_HINT = 'an input is a path, { folder, base }, or an array or other iterable of records';

/** Errors  InputError AKIN_ERR_INPUT_MISSING, AKIN_ERR_OPTION, AKIN_ERR_URL. */
function inputOf(input: IndexInput, i: number): BuildInput {
  if (typeof input === 'string') {
    if (statSync(input, { throwIfNoEntry: false })?.isDirectory()) {
      throw optionFault(
        `the folder ${input} has no URL`,
        `give { folder: ${JSON.stringify(input)}, base: 'https://example.org/' }`,
      );
    }
    return { path: input, baseUrl: null, format: null };
  }
  if (typeof input !== 'object' || input === null || !('folder' in input)) {
    const path = `inputs[${i}]`;
    requireIterable(path, input, INPUT_HINT);
    return { path, records: input, baseUrl: null, format: null };
  }
  const { folder, base, ...how } = input;
  if (!existsSync(folder)) {
    throw new InputError('AKIN_ERR_INPUT_MISSING', `the folder ${folder} does not exist`, {
      hint: 'check the path',
    });
  }
  if (!/^https?:$/.test(URL.parse(base)?.protocol ?? '')) {
    throw new InputError('AKIN_ERR_URL', `"${base}" is not an http(s) URL`, {
      hint: 'give the URL of the folder, such as https://example.org/docs/',
    });
  }
  return { path: folder, baseUrl: base, format: null, ...how };
}
