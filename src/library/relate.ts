import { InputError, optionFault } from '../errors.ts';
import { MemoryFolder } from '../indexer/files/memory-folder.ts';
import type { Stages } from '../indexer/files/stage-runner.ts';
import { gatherPages } from '../indexer/gather/gather-pages.ts';
import { Aliases } from '../indexer/gather/records/answers/aliases.ts';
import { type BuildOptions, dividedOptions } from '../indexer/options/build-options.ts';
import { findNeighbors } from '../indexer/relate/lists/neighbors.ts';
import { weighPages } from '../indexer/weigh/weigh-pages.ts';
import { fieldsNamed, type PageFields } from '../page/fields/page-fields.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import type { PageRecord } from './build.ts';
import type { BuildSettings, SharedTerm } from './generated.ts';
import { requireArray, requireIterable } from './given.ts';
import { type ListedPage, MemoryLists } from './memory-lists.ts';
import { settingsOf } from './settings.ts';

/** A document: `html` or `text`, and what else is known of it. */
export type RelatedDocument = Omit<PageRecord, 'status' | 'location' | 'vectors'>;

export interface RelatedItem {
  /** As the document gives it. */
  readonly url: string;
  readonly title: string;
  /** 0 to 1: the weighted words that both have, as a share of those that either has. */
  readonly similarity: number;
  /** What the list is ordered by, with the votes of the nearest; missing where it is by similarity alone. */
  readonly score?: number;
  /** Those of `fields` that it has; missing where it has none of them. */
  readonly fields?: PageFields;
  /** What both have in common, the greatest shares first, at most ten. */
  readonly terms: readonly SharedTerm[];
}

/** How pages are read, weighed and compared, as for `buildIndex`; copies, clusters and texts are left out. */
type RelateSettings = Pick<
  BuildSettings,
  | 'parts'
  | 'stopWords'
  | 'body'
  | 'ignore'
  | 'windowWords'
  | 'minPageCount'
  | 'maxPageShare'
  | 'neighborLimit'
  | 'floor'
  | 'keepTitles'
>;

export interface RelateOptions extends RelateSettings {
  /** Length of each list at most. Default 10. */
  readonly limit?: number;
  /** Names of the fields that lists show. Default none. */
  readonly fields?: readonly string[];
}

/** What follows does not wait for others: more documents are for `buildIndex`. */
const MAX_DOCUMENTS = 50_000;
/** One bucket: all is in memory anyway. */
const BUCKETS = 1;
const runOnce: Stages['run'] = async (_name, _shown, work) => work(() => {});
const QUIET = { stageStarted() {}, stageProgress() {}, stageEnded() {} };

/**
 * The related documents of each document, best first, by URL: the lists that an index of them answers with. No file is
 * written. A document that asks not to be indexed has an empty list and is in none; of one that names another document
 * as its canonical URL that one is listed.
 *
 * Cost    some 5 ms a document of 25 kB of HTML, in the calling thread.
 * Errors  InputError for a document without a usable URL, with neither html nor text, or with the URL of another one, and for
 *         fields that no document has;
 *         ConfigError for a setting.
 */
export async function relate(
  documents: Iterable<RelatedDocument> | AsyncIterable<RelatedDocument>,
  { limit = 10, fields = [], ...settings }: RelateOptions = {},
): Promise<Map<string, RelatedItem[]>> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    throw optionFault(`limit is ${limit}; it takes an integer from 1 to 100`);
  }
  requireArray('fields', fields);
  requireIterable('documents', documents, HINT);
  const given: RelatedDocument[] = [];
  for await (const document of documents) {
    if (given.push(document) > MAX_DOCUMENTS) throw tooMany();
  }
  const urls = urlsOf(given);
  if (given.length === 0) return new Map();
  const options: BuildOptions = {
    ...settingsOf({ ...settings, copies: false, workerCount: 1 }),
    inputs: [{ path: 'documents', records: given, baseUrl: null, format: null }],
    target: '',
    listsOnly: true,
  };
  const folder = new MemoryFolder();
  const lists = await listsIn(folder, options, given.length);
  if (lists !== null) for (const name of fields) requireField(name, lists.pages);
  const aliases = new Aliases(folder);
  const pageIds = new Map(lists?.pages.map(({ url }, id) => [url, id]));
  const givenUrl = new Map(Array.from(urls, ([url, i]) => [url, given[i]!.url]));
  const shown = ({ pageId, ...figures }: ListedPage): RelatedItem => {
    const { url, title, fields: all } = lists!.pages[pageId]!;
    const named = fieldsNamed(all, fields);
    return { url: givenUrl.get(url) ?? url, title, ...figures, ...(named && { fields: named }) };
  };
  return new Map(
    Array.from(urls, ([url, i]) => {
      const pageId = pageIds.get(aliases.target(url) ?? url);
      const isRead = pageId !== undefined && lists!.pages[pageId]!.isRead;
      return [given[i]!.url, isRead ? lists!.of(pageId, limit).map(shown) : []];
    }),
  );
}

/** Null where none of the documents is a page. */
async function listsIn(
  folder: MemoryFolder,
  options: BuildOptions,
  count: number,
): Promise<MemoryLists | null> {
  let noindexCount = 0;
  const fault = ({ where, reason, detail }: { where: string; reason: string; detail: string }) => {
    if (reason === 'noindex') noindexCount++;
    else throw new InputError('AKIN_ERR_DOCUMENT', `${where}: ${detail}`, { hint: HINT });
  };
  const listener = { ...QUIET, fault };
  const { input, resources, task } = dividedOptions(options);
  try {
    const stages = { folder, resources, listener, run: runOnce };
    const gathered = await gatherPages(input, task, stages, BUCKETS);
    await weighPages(input, task, stages, gathered);
    const { extracted } = gathered;
    const vectors = extracted.hasVectors ? 'relate() goes by words: vectors are for buildIndex' : null;
    const first =
      extracted.badFeatures.first ?? extracted.badFields.first ?? extracted.badVectors.first ?? vectors;
    if (first !== null) throw new InputError('AKIN_ERR_DOCUMENT', first, { hint: HINT });
  } catch (error) {
    if (noindexCount === count && error instanceof InputError) return null;
    throw error;
  }
  await findNeighbors(folder, task, resources, () => {});
  return new MemoryLists(folder, options);
}

/** As an index does: lists without it would hide that it was misspelled. */
function requireField(name: string, pages: readonly { readonly fields: PageFields }[]): void {
  if (pages.some(({ fields }) => Object.hasOwn(fields, name))) return;
  throw optionFault(`no document has the field ${name}`, 'fields takes names that some document has');
}

const HINT = 'give each document an absolute http(s) url, and html or text, which may be empty';

/** No more of them are read: there may be any number. */
function tooMany() {
  return optionFault(
    `more than ${MAX_DOCUMENTS} documents are too many for memory`,
    'buildIndex takes any number',
  );
}

/** Canonical URLs of the documents, each with its place. */
function urlsOf(documents: readonly RelatedDocument[]): Map<string, number> {
  const urls = new Map<string, number>();
  for (const [i, document] of documents.entries()) {
    const { url, html, text } = (document ?? {}) as Partial<RelatedDocument>;
    const canonical = typeof url === 'string' ? canonicalUrl(url) : null;
    if (canonical === null) {
      throw new InputError('AKIN_ERR_URL', `documents[${i}].url is no http(s) URL`, { hint: HINT });
    }
    if (typeof (html ?? text) !== 'string') {
      throw new InputError('AKIN_ERR_DOCUMENT', `documents[${i}] has neither html nor text`, { hint: HINT });
    }
    const other = urls.get(canonical);
    if (other !== undefined) {
      throw new InputError('AKIN_ERR_DOCUMENT', `documents[${i}] has the URL of documents[${other}]`, {
        hint: 'give each document a URL of its own',
      });
    }
    urls.set(canonical, i);
  }
  return urls;
}
