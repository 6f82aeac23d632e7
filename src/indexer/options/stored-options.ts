import { InputError, NotIndexedError } from '../../errors.ts';
import type { PartShares } from '../../features/parts.ts';
import { COPY_PROFILES, storedCopyParameters } from '../../relations/copy.ts';
import { TOPIC, TOPIC_PROFILES } from '../../relations/topic.ts';
import { IndexReader } from '../../store/read/reader.ts';
import { canonicalUrl } from '../../url/canonical-url.ts';
import type {
  BuildInput,
  BuildOptions,
  InputOptions,
  ProfileName,
  Resources,
  ShapingOptions,
} from './build-options.ts';

/** Parameters that a build stores, under the names of write/fill-index.ts. */
interface StoredParameters {
  readonly parts: PartShares;
  readonly stop_words: readonly string[] | null;
  readonly window_words: number;
  readonly min_page_count: number;
  readonly max_page_share: number;
  readonly seed: number;
  readonly classes?: ShapingOptions['classes'];
  readonly target_recall: number;
  readonly pair_similarity: number | null;
  readonly cluster_similarity: number;
  readonly filter_bytes?: 1 | 3;
  readonly filter_values?: number;
  readonly max_page_bytes: number;
  readonly search: boolean;
  readonly keep_titles: boolean;
}

/** The options that an index was built with. */
function storedOptions(reader: IndexReader): ShapingOptions {
  requireWhole(reader);
  const { parameters, copyClusterings } = reader.card();
  const stored = parameters as unknown as StoredParameters;
  const topic = reader.relation(TOPIC.name)!;
  const copy = storedCopyParameters(parameters);
  return {
    profile: topic.profile as ProfileName,
    parts: stored.parts,
    maxPageBytes: stored.max_page_bytes,
    stopWords: stored.stop_words === null ? null : stored.stop_words.join('\n'),
    windowWords: stored.window_words,
    minPageCount: stored.min_page_count,
    maxPageShare: stored.max_page_share,
    neighborLimit: topic.neighborLimit,
    floor: topic.floor,
    targetRecall: stored.target_recall,
    pairSimilarity: stored.pair_similarity,
    clusterSimilarity: stored.cluster_similarity,
    filterBytes: stored.filter_bytes ?? 3,
    filterValues: stored.filter_values ?? TOPIC_PROFILES.haveliwala2000.signature!.m,
    seed: stored.seed,
    classes: stored.classes ?? null,
    copies: copy !== undefined,
    copyProfile: copy?.profile ?? COPY_PROFILES.akin.name,
    shingleSize: copy?.shingle_size ?? 10,
    copySimilarity: copy?.threshold ?? 0.5,
    copyClusterings: copyClusterings.map((clustering) => clustering.name),
    copyJoin: copy?.join ?? 'shingles',
    keepText: copy?.text ?? false,
    search: stored.search,
    keepTitles: stored.keep_titles,
    templateFilter: copy?.template_filter ?? false,
    sameSiteBits: copy?.same_site_agreement ?? 0,
  };
}

/** Errors  as `IndexReader.open`; InputError AKIN_ERR_OPTION for a shard. */
export function readStoredOptions(path: string): ShapingOptions {
  const reader = IndexReader.open(path);
  try {
    return storedOptions(reader);
  } finally {
    reader.close();
  }
}

/** What `akin add` and `akin forget` say besides the options that the index was built with. */
interface ChangeOptions extends Resources, Partial<ShapingOptions> {
  /** The index: it is an input, and is replaced. */
  readonly target: string;
}

/**
 * The build that adds sweeps to an index: of the index and of what is new.
 *
 * Errors  as `IndexReader.open`.
 */
export function additionTo(change: ChangeOptions & Omit<InputOptions, 'without'>): BuildOptions {
  const inputs = [indexInput(change.target), ...change.inputs];
  return { ...readStoredOptions(change.target), ...change, inputs, without: [] };
}

/** What is lost with URLs that are forgotten. */
export interface Forgotten {
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

/** Errors  InputError AKIN_ERR_OPTION for a shard: what its pages are to those of others would be lost. */
function requireWhole({ shard, path }: IndexReader): void {
  if (shard === null) return;
  throw new InputError('AKIN_ERR_OPTION', `${path} is shard ${shard.number} of ${shard.count} of an index`, {
    hint: 'change the whole index, and split it again',
  });
}

/** An index and nothing else: no sweep is new. */
export function indexAlone(path: string): InputOptions {
  return { inputs: [indexInput(path)], sweepName: '', isSweepPerInput: false, isWhole: false, without: [] };
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
  const fetched = reader.card().fetchedPageCount;
  if ([...pages].filter((page) => reader.page(page).fetched).length === fetched) {
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
