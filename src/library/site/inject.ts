import '../needed-node.ts';
import { optionFault } from '../../errors.ts';
import type { IndexReport } from '../build.ts';
import type { ListRule, RelatedAnswer } from '../generated.ts';
import { requirePath } from '../given.ts';
import { type FolderPage, folderPages } from './folder-pages.ts';
import { cachedLists } from './list-cache.ts';
import type { ListNarrowing, Making } from './site-lists.ts';
import { writeList } from './write-list.ts';

export interface InjectOptions extends ListNarrowing, Making {
  /** The URL that the folder is published at. */
  readonly base: string;
  /** Heading of each list; an empty one leaves it out. Default `Related pages`, in the language of the page. */
  readonly heading?: string;
  /** Whether `a.html` is published as `a`. Default false. */
  readonly cleanUrls?: boolean;
  /** Whether links are paths (`/post`), for a site that is shown at other addresses too. Default false. */
  readonly pathLinks?: boolean;
  /** Pages that lists begin with or do not hold, as PUT /rules takes them (docs/rules.md). */
  readonly rules?: readonly ListRule[];
  /** Selectors of what alone counts of a page, and of what does not, where pages have no marks (docs/formats/input.md). */
  readonly body?: string;
  readonly ignore?: string;
  /** Folder that keeps the lists for the next run; by default `node_modules/.cache/akin`, and none without node_modules. */
  readonly cache?: string;
  /** Whether nothing is written but the cache. Default false. */
  readonly dryRun?: boolean;
}

export interface InjectReport {
  readonly pageCount: number;
  /** Pages with a place for a list, but for those that ask not to be indexed. */
  readonly placeCount: number;
  /** Those: they get none. */
  readonly noindexCount: number;
  /** Pages that show related pages now. */
  readonly listCount: number;
  /** Why lists are empty, the reason of most of them first. */
  readonly emptyReasons: readonly NonNullable<RelatedAnswer['empty_reason']>[];
  /** Pages that were written, or would be: paths below the folder. */
  readonly changed: readonly string[];
  /** Pages with a place in an encoding that no list can be written into: UTF-16, ISO-2022-JP. */
  readonly unwritable: readonly string[];
  /** What is passed over as it cannot be read, such as links that lead out of the folder: paths, each with the reason. */
  readonly unreadable: readonly string[];
  /** Error pages and drafts. */
  readonly passedOverCount: number;
  /** Pages that were read, and those of them that have marks of parts, or parts that a selector names. */
  readonly marks: IndexReport['marks'];
  /** Whether the lists of an earlier run were used: no page and no option has changed, nor with `boost` the time by a tenth of its age, or a day. */
  readonly isCached: boolean;
  /** Why the lists are not kept for the next run; null where they are, or are not to be. */
  readonly cacheFault: string | null;
}

/**
 * Writes into each page of a folder the list of its related pages, at `<!-- akin-related -->` or into an empty
 * `<akin-related>`, in place of the one that an earlier run wrote. A file is written where its bytes change, by a rename. Where more
 * than a tenth of the pages, and more than one, have a place, those without one are in no list, unless a rule pins them. Pages that ask not
 * to be indexed, error pages (404.html and the like) and those in a folder `drafts` get no list and are in none.
 *
 * Errors  InputError for a folder without pages or without a place, an option that cannot be used, or a file that cannot
 *         be read or written.
 */
export async function injectFolder(folder: string, options: InjectOptions): Promise<InjectReport> {
  requirePath('the folder', folder);
  const { base, heading = null, cleanUrls = false, pathLinks = false, ...more } = options;
  const { body = '', ignore = '', cache, dryRun = false, rules = [], ...others } = more;
  const { on, workFolder, ...filters } = others;
  const found = folderPages(folder, base, cleanUrls);
  const withPlace = found.pages.filter(({ hasPlace }) => hasPlace);
  if (withPlace.length === 0) {
    throw optionFault(
      `no page of ${folder} has a place for a list`,
      'put <!-- akin-related --> into the template of a page, where the list shall stand',
    );
  }
  const how = { ...(on && { on }), ...(workFolder !== undefined && { workFolder }) };
  const form = { base, heading, pathLinks, body, ignore, rules, filters };
  const { lists, marks, isCached, cacheFault } = await cachedLists(folder, found, form, cache, how);
  const changed: string[] = [];
  const unwritable: string[] = [];
  let listCount = 0;
  let noindexCount = 0;
  const empty = new Map<InjectReport['emptyReasons'][number], number>();
  const put = (page: FolderPage, list: string | null) => {
    const outcome = writeList(Buffer.from(page.absolute), list, dryRun);
    if (outcome === 'changed') changed.push(page.path);
    if (outcome === 'unwritable') unwritable.push(page.path);
    return outcome !== 'unwritable';
  };
  for (const page of withPlace) {
    const list = lists.get(page.url) ?? null;
    if (list === null) noindexCount++;
    if (!put(page, list?.html ?? null) || list === null) continue;
    const { emptyReason: reason } = list;
    if (reason === null) listCount++;
    else empty.set(reason, (empty.get(reason) ?? 0) + 1);
  }
  for (const page of found.passedOver) if (page.hasPlace) put(page, null);
  return {
    pageCount: found.pages.length,
    placeCount: withPlace.length - noindexCount,
    noindexCount,
    listCount,
    emptyReasons: Array.from(empty)
      .sort(([, a], [, b]) => b - a)
      .map(([reason]) => reason),
    changed,
    unwritable,
    unreadable: found.unreadable,
    passedOverCount: found.passedOver.length,
    marks,
    isCached,
    cacheFault,
  };
}
