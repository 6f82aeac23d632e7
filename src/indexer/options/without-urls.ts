import { InputError, NotIndexedError, optionFault } from '../../errors.ts';
import { cutText } from '../../lib/cut-text.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { badUrlText } from '../../url/bad-url.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { BuildOptions } from './build-options.ts';
import { type ChangeOptions, filesOf, indexAlone, readStoredOptions } from './stored-options.ts';

/** What is lost with URLs that are forgotten. */
interface Forgotten {
  readonly pageCount: number;
  readonly aliasCount: number;
  /** Texts that no other page has. */
  readonly versionCount: number;
  /** URLs that the index does not have, as they wait beside it alone. */
  readonly waitingCount: number;
}

/** A page, in the file that has it. */
interface OwnPage {
  readonly reader: IndexReader;
  readonly pageId: number;
  readonly url: string;
}

/**
 * The build of an index without some URLs: a page goes with all that is known of it, of an alias the alias alone. Those that wait
 * beside it, by `isWaiting`, need not be in it.
 *
 * Errors  InputError AKIN_ERR_URL; NotIndexedError AKIN_ERR_PAGE_NOT_INDEXED that names every URL that is not there;
 *         InputError AKIN_ERR_OPTION where no page would be left; as `readStoredOptions`.
 */
export function withoutUrls(
  change: ChangeOptions,
  texts: readonly string[],
  isWaiting: (url: string) => boolean = () => false,
): { readonly options: BuildOptions; readonly forgotten: Forgotten } {
  const { target } = change;
  const urls = [...new Set(texts.map(requireUrl))];
  const stored = readStoredOptions(target);
  const readers: IndexReader[] = [];
  try {
    for (const path of filesOf(target)) readers.push(IndexReader.open(path));
    const known = urls.filter((url) => ownPage(readers, url) !== undefined || !isWaiting(url));
    const pages = forgottenPages(readers, known, target);
    requireSomeLeft(readers, pages, target);
    const isForgotten = (url: string) => urls.includes(url) || pages.has(ownPage(readers, url)?.url ?? url);
    const options = {
      ...stored,
      // Nothing is left of a forgotten page, its class neither, by whichever of its URLs it was given.
      classes: stored.classes?.filter(([url]) => !isForgotten(url)) ?? null,
      ...change,
      ...indexAlone(target),
      without: urls,
    };
    const aliasCount = known.length - pages.size;
    const waitingCount = urls.length - known.length;
    return {
      options,
      forgotten: { pageCount: pages.size, aliasCount, versionCount: lostTexts(readers, pages), waitingCount },
    };
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** By their URLs those that are pages: of an alias the page stays. Errors  NotIndexedError AKIN_ERR_PAGE_NOT_INDEXED. */
function forgottenPages(
  readers: readonly IndexReader[],
  urls: readonly string[],
  target: string,
): Map<string, OwnPage> {
  const found = urls.map((url) => ownPage(readers, url));
  const missing = urls.filter((_, i) => found[i] === undefined);
  if (missing.length > 0) {
    throw new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', `not in ${target}: ${missing.join(', ')}`, {
      hint: 'nothing was changed; leave these out and call again',
    });
  }
  return new Map(found.filter((page, i) => page!.url === urls[i]).map((page) => [page!.url, page!]));
}

/** The page of a URL, else what it leads to, which may be in a shard that knows it as an alias alone; shards name pages of others, too. */
function ownPage(readers: readonly IndexReader[], url: string): OwnPage | undefined {
  const found = readers.flatMap((reader): OwnPage[] => {
    const pageId = reader.findPage(url);
    const isOwn = pageId >= 0 && pageId < reader.ownPageCount;
    return isOwn ? [{ reader, pageId, url: reader.page(pageId).url }] : [];
  });
  return found.find((page) => page.url === url) ?? found[0];
}

/** Errors  InputError AKIN_ERR_OPTION. */
function requireSomeLeft(
  readers: readonly IndexReader[],
  pages: ReadonlyMap<string, OwnPage>,
  target: string,
): void {
  const counts = readers.map((reader) => reader.card());
  const readCount = counts.reduce((sum, card) => sum + card.fetchedPageCount + card.gonePageCount, 0);
  const forgottenCount = [...pages.values()].filter(
    ({ reader, pageId }) => reader.page(pageId).fetched,
  ).length;
  if (forgottenCount < readCount) return;
  throw optionFault('these are all pages of the index', `remove ${target} instead`);
}

/** How many texts only these pages have had. */
function lostTexts(readers: readonly IndexReader[], pages: ReadonlyMap<string, OwnPage>): number {
  const texts = [...pages.values()].flatMap(({ reader, pageId }) =>
    reader
      .captures(pageId)
      .filter(({ versionId }) => versionId >= 0)
      .map(({ versionId }) => reader.versions.get(versionId).textDigest),
  );
  const isLost = (text: string) =>
    readers.every((reader) => {
      const version = reader.versions.find(text);
      return (
        version < 0 ||
        reader.versions.pagesOf(version).every(({ pageId }) => pages.has(reader.page(pageId).url))
      );
    });
  return [...new Set(texts)].filter(isLost).length;
}

function requireUrl(text: string): string {
  const url = canonicalUrl(text);
  if (url !== null) return url;
  throw new InputError('AKIN_ERR_URL', `"${cutText(text, 300)}" is ${badUrlText(text)}`, {
    hint: 'give a whole one, such as https://example.org/page',
  });
}
