import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { InputError, NotIndexedError } from '../../errors.ts';
import { buildIndex } from '../../indexer/build-index.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import { isOfCopies } from '../../relations/relations.ts';
import { relatedHtml } from '../../service/answers/lists/related-html.ts';
import { ALGORITHM_VERSION, FORMAT_VERSION } from '../../store/database.ts';
import { SILENT_BUILD } from '../build.ts';
import type { RelatedAnswer, RelatedOptions } from '../generated.ts';
import { openIndex } from '../index-questions.ts';
import { settingsOf } from '../settings.ts';
import { type FolderPage, type FolderPages, folderPages, recordsOf } from './folder-pages.ts';
import { writeList } from './write-list.ts';

/** The types of the service say that a card has no undefined. */
type Shown = Parameters<typeof relatedHtml>[0];

interface List {
  readonly html: string;
  readonly isEmpty: boolean;
}

/** What narrows the lists, as for `related` of an index. */
type InjectFilters = Omit<RelatedOptions, 'explain' | 'exclude_copies' | 'fetched' | 'cursor' | 'missing'>;

export interface InjectOptions extends InjectFilters {
  /** The URL that the folder is published at. */
  readonly base: string;
  /** Heading of each list; an empty one leaves it out. Default `Related pages`. */
  readonly heading?: string;
  /** Whether `a.html` is published as `a`. Default false. */
  readonly cleanUrls?: boolean;
  /** Whether links are paths (`/post`), for a site that is shown at other addresses too. Default false. */
  readonly pathLinks?: boolean;
  /** Selectors of what alone counts of a page, and of what does not, where pages have no marks (docs/formats/input.md). */
  readonly body?: string;
  readonly ignore?: string;
  /** Folder that keeps the index for the next run; by default `node_modules/.cache/akin`, and none without node_modules. */
  readonly cache?: string;
  /** Whether nothing is written but the cache. Default false. */
  readonly dryRun?: boolean;
}

export interface InjectReport {
  readonly pageCount: number;
  /** Pages with a place for a list. */
  readonly placeCount: number;
  /** Those of them that show related pages now. */
  readonly listCount: number;
  /** Pages that were written, or would be: paths below the folder. */
  readonly changed: readonly string[];
  /** Pages with a place in an encoding that no list can be written into: UTF-16, ISO-2022-JP. */
  readonly unwritable: readonly string[];
  /** Error pages and drafts. */
  readonly passedOverCount: number;
  /** Whether the index of the run before was used, as no page has changed. */
  readonly isCached: boolean;
}

/**
 * Writes into each page of a folder the list of its related pages, at `<!-- akin-related -->` or into an empty
 * `<akin-related>`, in place of the one that an earlier run wrote. A file is written where its bytes change, by a rename. Pages that ask not
 * to be indexed, error pages (404.html and the like) and those in a folder `drafts` get no list and are in none.
 *
 * Errors  InputError for a folder without pages or without a place, an option that cannot be used, or a file that cannot
 *         be read or written.
 */
export async function injectFolder(folder: string, options: InjectOptions): Promise<InjectReport> {
  const { base, heading = 'Related pages', cleanUrls = false, pathLinks = false, ...more } = options;
  const { body = '', ignore = '', cache, dryRun = false, ...filters } = more;
  const found = folderPages(folder, base, cleanUrls);
  const withPlace = found.pages.filter(({ hasPlace }) => hasPlace);
  if (withPlace.length === 0) {
    throw new InputError('AKIN_ERR_OPTION', `no page of ${folder} has a place for a list`, {
      hint: 'put <!-- akin-related --> into the template of a page, where the list shall stand',
    });
  }
  const kept = cache ?? cacheFolder();
  const own = kept ?? mkdtempSync(join(tmpdir(), 'akin-inject-'));
  try {
    mkdirSync(own, { recursive: true });
    const { file, isCached } = await indexFile(own, folder, found, { body, ignore });
    await using index = await openIndex(file, { preload: true });
    const narrowing = {
      limit: 5,
      ...filters,
      exclude_copies: filters.by === undefined || !isOfCopies(filters.by),
      fetched: 'only',
    } as const;
    const shown = (answer: RelatedAnswer): List => ({
      html: relatedHtml(
        (pathLinks ? withPaths(answer, base) : answer) as Shown,
        filters.cards === true,
        heading,
      ),
      isEmpty: answer.related.length === 0,
    });
    const lists = new Map<string, List>();
    for await (const answer of index.lists(narrowing)) lists.set(answer.url, shown(answer));
    const changed: string[] = [];
    const unwritable: string[] = [];
    let listCount = 0;
    const put = (page: FolderPage, list: string | null) => {
      const outcome = writeList(page.absolute, list, dryRun);
      if (outcome === 'changed') changed.push(page.path);
      if (outcome === 'unwritable') unwritable.push(page.path);
      return outcome !== 'unwritable';
    };
    for (const page of withPlace) {
      const list = lists.get(page.url) ?? (await index.related(page.url, narrowing).then(shown, notIndexed));
      if (put(page, list?.html ?? null) && list?.isEmpty === false) listCount++;
    }
    for (const page of found.passedOver) if (page.hasPlace) put(page, null);
    return {
      pageCount: found.pages.length,
      placeCount: withPlace.length,
      listCount,
      changed,
      unwritable,
      passedOverCount: found.passedOver.length,
      isCached,
    };
  } finally {
    if (kept === null) rmSync(own, { recursive: true, force: true });
  }
}

/** The list with the paths of pages of this site in place of their URLs. */
function withPaths(answer: RelatedAnswer, base: string): RelatedAnswer {
  const { origin } = new URL(base);
  const pathOf = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
  return { ...answer, related: answer.related.map((page) => ({ ...page, url: pathOf(page.url) })) };
}

/** Of a page that asks not to be in the index. */
function notIndexed(error: unknown): null {
  if (error instanceof NotIndexedError) return null;
  throw error;
}

/** The one of the nearest node_modules, null where there is none. */
function cacheFolder(): string | null {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) return join(modules, '.cache', 'akin');
    if (folder === dirname(folder)) return null;
  }
}

/** The index of these pages, built where no earlier run left it; it takes the place of others of the folder. */
async function indexFile(
  cache: string,
  folder: string,
  { pages, bytes, digest }: FolderPages,
  selectors: { readonly body: string; readonly ignore: string },
): Promise<{ file: string; isCached: boolean }> {
  const key = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16);
  const state = createHash('sha256')
    .update(JSON.stringify([digest, selectors]))
    .digest('hex')
    .slice(0, 32);
  const name = `${key}-${ALGORITHM_VERSION}-${FORMAT_VERSION}-${state}.akin`;
  const file = join(cache, name);
  if (existsSync(file)) return { file, isCached: true };
  const records = recordsOf(folder, pages);
  const options: BuildOptions = {
    ...settingsOf({ search: false, keepText: false, ...selectors }),
    inputs: [{ path: folder, records, recordBytes: bytes, baseUrl: null, format: null }],
    target: file,
    // All pages of the site: links to others make no page.
    isWhole: true,
    // Nothing is ever added to this index.
    keepWords: false,
  };
  await buildIndex(options, SILENT_BUILD);
  for (const other of readdirSync(cache)) {
    if (other.startsWith(`${key}-`) && other.endsWith('.akin') && other !== name) {
      rmSync(join(cache, other), { force: true });
    }
  }
  return { file, isCached: false };
}
