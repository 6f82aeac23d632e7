import { statSync } from 'node:fs';
import { InputError, NotIndexedError } from '../../errors.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { shardsIn } from '../../store/read/shard-files.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type { BuildInput, BuildOptions, InputOrder, Resources, ShapingOptions } from './build-options.ts';
import { storedOptions } from './parameters.ts';

/** Of an index, or of that whose shards are in a folder. Errors  as `shardsIn`; InputError AKIN_ERR_OPTION for a shard. */
export function readStoredOptions(path: string): ShapingOptions {
  const isInShards = isFolder(path);
  const reader = IndexReader.open(isInShards ? shardsIn(path)[0]! : path);
  try {
    if (!isInShards) requireWhole(reader);
    return storedOptions(reader);
  } finally {
    reader.close();
  }
}

/** What `akin add` and `akin forget` say besides the options that the index was built with. */
interface ChangeOptions extends Resources, Partial<ShapingOptions> {
  /** The index, or the folder of its shards: it is an input, and is replaced. */
  readonly target: string;
}

/**
 * The build that adds sweeps to an index: of the index and of what is new.
 *
 * Errors  as `readStoredOptions`.
 */
export function additionTo(change: ChangeOptions & InputOrder): BuildOptions {
  const { target } = change;
  const inputs = [...(isFolder(target) ? shardsIn(target) : [target]).map(indexInput), ...change.inputs];
  return { ...readStoredOptions(change.target), ...change, inputs };
}

/** What is lost with URLs that are forgotten. */
interface Forgotten {
  readonly pageCount: number;
  readonly aliasCount: number;
  /** Texts that no other page has. */
  readonly versionCount: number;
}

/**
 * The build of an index without some URLs: a page goes with all that is known of it, of an alias the alias alone.
 *
 * Errors  InputError AKIN_ERR_URL; NotIndexedError AKIN_ERR_PAGE_NOT_INDEXED that names every URL that is not there;
 *         InputError AKIN_ERR_OPTION where no page would be left; as `IndexReader.open`.
 */
export function withoutUrls(
  change: ChangeOptions,
  texts: readonly string[],
): { readonly options: BuildOptions; readonly forgotten: Forgotten } {
  const urls = [...new Set(texts.map(requireUrl))];
  const reader = IndexReader.open(change.target);
  try {
    requireWhole(reader);
    const forgotten = countForgotten(reader, urls);
    const stored = storedOptions(reader);
    const pages = forgottenPages(reader, urls);
    const isForgotten = (url: string) => urls.includes(url) || pages.has(reader.findPage(url));
    const options = {
      ...stored,
      // Nothing is left of a forgotten page, its class neither, by whichever of its URLs it was given.
      classes: stored.classes?.filter(([url]) => !isForgotten(url)) ?? null,
      ...change,
      ...indexAlone(change.target),
      without: urls,
    };
    return { options, forgotten };
  } finally {
    reader.close();
  }
}

/** Errors  InputError AKIN_ERR_OPTION for a shard: what its pages are to those of other shards would be lost. */
function requireWhole({ shard, path }: IndexReader): void {
  if (shard === null) return;
  throw new InputError('AKIN_ERR_OPTION', `${path} is shard ${shard.number} of ${shard.count} of an index`, {
    hint: 'give the folder of all its shards to akin add, and the whole index to any other command',
  });
}

/** An index and nothing else: no sweep is new. */
export function indexAlone(path: string): InputOrder {
  return { inputs: [indexInput(path)] };
}

/** Whether a path is that of shards. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function indexInput(path: string): BuildInput {
  return { path, baseUrl: null, format: null };
}

function countForgotten(reader: IndexReader, urls: readonly string[]): Forgotten {
  const missing = urls.filter((url) => reader.findPage(url) < 0);
  if (missing.length > 0) {
    throw new NotIndexedError('AKIN_ERR_PAGE_NOT_INDEXED', `not in ${reader.path}: ${missing.join(', ')}`, {
      hint: 'nothing was changed; leave these out and call again',
    });
  }
  const pages = forgottenPages(reader, urls);
  const captures = [...pages].flatMap((page) => reader.captures(page));
  const { fetchedPageCount, gonePageCount } = reader.card();
  const forgotten = [...pages].filter((page) => reader.page(page).fetched).length;
  if (forgotten === fetchedPageCount + gonePageCount) {
    throw new InputError('AKIN_ERR_OPTION', 'these are all pages of the index', {
      hint: `remove the file instead: ${reader.path}`,
    });
  }
  const versions = new Set(captures.map(({ versionId }) => versionId).filter((id) => id >= 0));
  const lost = [...versions].filter((id) =>
    reader.versions.pagesOf(id).every(({ pageId }) => pages.has(pageId)),
  );
  return { pageCount: pages.size, aliasCount: urls.length - pages.size, versionCount: lost.length };
}

/** Those of the URLs that are pages: of an alias the page stays. */
function forgottenPages(reader: IndexReader, urls: readonly string[]): Set<number> {
  return new Set(urls.map((url) => reader.findPage(url)).filter((id, i) => reader.page(id).url === urls[i]));
}

function requireUrl(text: string): string {
  const url = canonicalUrl(text);
  if (url !== null) return url;
  throw new InputError('AKIN_ERR_URL', `"${text}" is not an http(s) URL`, {
    hint: 'give a whole one, such as https://example.org/page',
  });
}
