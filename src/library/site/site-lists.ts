/** The lists of the pages of a folder, by an index of these pages that is built for that and thrown away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotIndexedError } from '../../errors.ts';
import { buildIndex } from '../../indexer/build-index.ts';
import type { BuildOptions } from '../../indexer/options/build-options.ts';
import { isOfCopies } from '../../relations/relations.ts';
import { relatedHtml } from '../../service/answers/lists/related-html.ts';
import { fragmentWords } from '../../service/answers/pages/fragment-words.ts';
import { rulesPathOf, writeRulesFile } from '../../store/rules-file.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import { type BuildEvents, type IndexReport, listenerOf, type PageRecord } from '../build.ts';
import type { ListRule, RelatedAnswer, RelatedOptions } from '../generated.ts';
import { openIndex } from '../index-questions.ts';
import { settingsOf } from '../settings.ts';
import { type FolderPage, type FolderPages, recordsOf } from './folder-pages.ts';

/** What narrows the lists, as for `related` of an index. */
export type ListNarrowing = Omit<
  RelatedOptions,
  'explain' | 'exclude_copies' | 'facets' | 'fields' | 'fetched' | 'cursor' | 'missing'
>;

/** What decides what a list holds and how it looks, beside the pages. */
export interface ListForm {
  readonly base: string;
  /** Null for the usual one, in the language of each page. */
  readonly heading: string | null;
  readonly pathLinks: boolean;
  readonly body: string;
  readonly ignore: string;
  readonly rules: readonly ListRule[];
  readonly filters: ListNarrowing;
}

/** How lists are made, whatever they hold. */
export interface Making {
  /** Is called while they are made. */
  readonly on?: BuildEvents;
  /** Where the index of the pages stands meanwhile; by default among temporary files. */
  readonly workFolder?: string;
}

export interface SiteList {
  readonly html: string;
  /** Null where something is listed. */
  readonly emptyReason: RelatedAnswer['empty_reason'];
}

/** What an index of the pages found. */
export interface SiteLists {
  /** By URL, for each page with a place: its list, or null where it asks not to be in an index. */
  readonly lists: ReadonlyMap<string, SiteList | null>;
  readonly marks: IndexReport['marks'];
}

/** Below this many bytes a second thread saves no time: it compiles all that reads a page once more. Measured with 28 MB of articles. */
const THREADS_WORTH_BYTES = 1 << 26;

/** Share of pages with a place up to which they are a trial. */
const TRIAL_SHARE = 0.1;

/** Field of the pages that lists may hold, where these are not all. */
const LISTED = 'akin-listed';
const LISTED_MARK = `<meta name="akin:${LISTED}" content="true">`;

/** The types of the service say that a card has no undefined. */
type Shown = Parameters<typeof relatedHtml>[0];

/**
 * Builds the index, asks it for all lists and throws it away.
 *
 * Errors  InputError for pages or an option that cannot be used.
 */
export async function siteLists(
  folder: string,
  found: FolderPages,
  { heading, pathLinks, body, ignore, rules, filters }: ListForm,
  { on = {}, workFolder = tmpdir() }: Making,
): Promise<SiteLists> {
  const own = mkdtempSync(join(workFolder, 'akin-inject-'));
  try {
    const file = join(own, 'site.akin');
    const isListed = listedBy(rules);
    const withPlace = found.pages.filter(({ hasPlace }) => hasPlace);
    // In a trial one page has a place, or few of many. Blogs have more pages of tags than posts.
    const isTrial = withPlace.length <= Math.max(1, found.pages.length * TRIAL_SHARE);
    const isAnyListed = isTrial || found.pages.every(isListed);
    const headOf = (page: FolderPage) => (!isAnyListed && isListed(page) ? LISTED_MARK : '');
    const records = recordsOf(folder, found.pages, headOf);
    const options = buildOptions(folder, records, found.bytes, file, { body, ignore });
    const { marks } = await buildIndex(options, listenerOf(on));
    if (rules.length > 0) writeRulesFile(rulesPathOf(file), JSON.stringify({ rules }));
    await using index = await openIndex(file, { preload: true });
    const narrowing = {
      limit: 5,
      ...filters,
      ...(!isAnyListed && { field: [...(filters.field ?? []), `${LISTED}=true`] }),
      exclude_copies: filters.by === undefined || !isOfCopies(filters.by),
      fetched: 'only',
    } as const;
    const shown = (answer: RelatedAnswer, lang: string | null): SiteList => {
      const listed = pathLinks ? withPaths(answer) : answer;
      const html = relatedHtml(
        listed as Shown,
        filters.cards === true,
        heading ?? fragmentWords(lang).related,
      );
      return { html, emptyReason: answer.empty_reason };
    };
    const lists = new Map<string, RelatedAnswer>();
    const total = found.pages.length;
    on.stageStarted?.({ name: 'lists', unit: 'pages', total, resumed: false });
    for await (const answer of index.lists(narrowing)) {
      lists.set(answer.url, answer);
      on.stageProgress?.(lists.size, total);
    }
    const ofPages = new Map<string, SiteList | null>();
    for (const { url, lang } of withPlace) {
      const answer = lists.get(url) ?? (await index.related(url, narrowing).catch(notIndexed));
      ofPages.set(url, answer === null ? null : shown(answer, lang));
    }
    return { lists: ofPages, marks };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/**
 * Pages without a place are mostly lists of others - tags, archives, the home page - which are like each page that they quote. They stay in
 * the index for their links.
 */
function listedBy(rules: readonly ListRule[]): (page: FolderPage) => boolean {
  const pinned = new Set(rules.flatMap(({ pin = [] }) => pin).map((url) => canonicalUrl(url)));
  return ({ hasPlace, url }) => hasPlace || pinned.has(canonicalUrl(url));
}

function buildOptions(
  folder: string,
  records: Iterable<PageRecord>,
  bytes: number,
  target: string,
  selectors: { readonly body: string; readonly ignore: string },
): BuildOptions {
  return {
    ...settingsOf({
      search: false,
      keepText: false,
      // Declared, it may be asked for where no page has it.
      fields: LISTED,
      workerCount: bytes < THREADS_WORTH_BYTES ? 1 : 0,
      ...selectors,
    }),
    inputs: [{ path: folder, records, recordBytes: bytes, baseUrl: null, format: null }],
    target,
    // All pages of the site: links to others make no page.
    isWhole: true,
    listsOnly: true,
  };
}

/** The list with the paths of pages on the host of its page in place of their URLs. */
function withPaths(answer: RelatedAnswer): RelatedAnswer {
  const { origin } = new URL(answer.url);
  const pathOf = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url);
  return { ...answer, related: answer.related.map((page) => ({ ...page, url: pathOf(page.url) })) };
}

/** Of a page that asks not to be in the index. */
function notIndexed(error: unknown): null {
  if (error instanceof NotIndexedError) return null;
  throw error;
}
