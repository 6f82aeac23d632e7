import type { Part } from '../../../features/parts.ts';
import { ArrayFile } from './array-file.ts';
import { FormFile, RecordFile } from './record-file.ts';
import { ascii, doubles, type Field, f64, listOf, oneOf, stored, text, varint } from './record-form.ts';
import { TableFile } from './table-file.ts';

/**
 * Every file of the work folder: its name, what it holds, the stage that writes it and those that read it.
 *
 * A stage finds its files here and nowhere else. Numbers of pages, features and so on are positions: number i of a file
 * belongs to page i. Whoever changes the form of a file raises FILES_VERSION in build-key.ts.
 */

/** Lists of a page each: how many stand in it, and which, with their similarity as a fraction; and how near they are. */
const LISTS = { counts: Uint8Array, ids: Uint32Array, shared: Uint16Array, total: Uint16Array };
const RATED_LISTS = { ...LISTS, nearness: Uint16Array };
/** Pairs; and what both of a pair share, of how much of each. */
const PAIRS = { a: Uint32Array, b: Uint32Array };
const OVERLAPS = { ...PAIRS, shared: Uint32Array, ofA: Uint32Array, ofB: Uint32Array };

// extract -> collapse, a file for each bucket

/** Page, fragment, gone and noindex records as they came; see gather/records/page-record.ts. */
export const recordsOfBucket = bucketed('records');
/** Those that stand under another URL than they came with: on their way to their new bucket, and there. */
export const redirectedOfBucket = bucketed('redirected');
export const movedOfBucket = bucketed('moved');
/** URLs that links lead to. */
export const linkUrlsOfBucket = bucketed('link-urls');
/** Stem and form of the words met; read by `features`. */
export const formsOfBucket = bucketed('forms');

// extract -> collapse, write

/** Kind, URL and target of each alias, in URL order; the key of each URL, and where its record starts. */
export const ALIASES = new FormFile('aliases', {
  kind: oneOf(['redirect', 'canonical']),
  url: ascii,
  to: ascii,
});
export const ALIAS_KEYS = new ArrayFile('alias-keys', Float64Array);
export const ALIAS_STARTS = new ArrayFile('alias-starts', Float64Array);
/** By number of the capture; see gather/records/answers/aliases.ts. */
export const CAPTURE_FLAGS = new ArrayFile('capture-flags', Uint8Array);
/** Of pages that later sweeps met as they were, in order: the number of the capture, the sweep, when, and the time of the capture that it names. */
export const VISIT_SEQUENCES = new ArrayFile('visit-sequences', Uint32Array);
export const VISIT_SWEEPS = new ArrayFile('visit-sweeps', Uint32Array);
export const VISIT_TIMES = new ArrayFile('visit-times', Float64Array);
export const VISIT_REFERENCES = new ArrayFile('visit-references', Float64Array);
/** Answers of URLs that have no page, in URL order. */
export const OTHER_ANSWERS = new FormFile('other-answers', {
  url: ascii,
  kind: oneOf(['redirect', 'gone', 'noindex']),
  sweepId: varint,
  fetchedAtMs: f64,
  /** Of a redirect; else ''. */
  to: ascii,
});
/** URLs that a new sweep has an answer of, where sweeps are the whole state of their sites; read by `extract` alone. */
export const answeredInSweep = bucketed('answered');
/** Sites of which a sweep is the whole state; missing where there is none. */
export const COVERED_SITES = new RecordFile('covered-sites');

// collapse -> merge, sorted by URL: one file or more for each bucket

/** Collapsed pages. */
export const pageRunOfBucket = (bucket: number, pass: number) =>
  new RecordFile(`${bucketName('run', bucket)}-${pass}`);
/** URLs that links lead to, each once. */
export const linkUrlRunOfBucket = bucketed('link-url-run');

// merge -> all stages

/** Collapsed pages in URL order; the position of a page is its id. See gather/records/collapsed-record.ts. */
export const PAGES = new RecordFile('pages');
/** URLs that links lead to, each once, in order; read by `write`. */
export const LINK_URLS = new FormFile('link-urls', { url: ascii });

// features -> bags, signatures, write

/** Part and word of each feature, and the pages that it is in. */
export const FEATURES = new TableFile('feature', {
  parts: Uint8Array,
  keys: Float64Array,
  pageCounts: Uint32Array,
});
/** Ids of the pages that each page links to, and of those that link to it; see weigh/link-rows.ts. */
export const OUT_LINKS = new RecordFile('links-out');
export const IN_LINKS = new RecordFile('links-in');
/** A stable hash of each feature. */
export const FEATURE_HASHES = new ArrayFile('feature-hashes', Uint32Array);
/** The word of each feature: a word in several parts has one number. */
export const FEATURE_WORDS = new ArrayFile('feature-words', Uint32Array);
/**
 * Names of the features of one range of ids: the stem, of a part by links the id of a page, of a group of own features the
 * name; and the form of the stem that most pages use first, '' of a part by links.
 */
export const namesOfRange = (range: number) =>
  new FormFile(`names-${range}`, { id: varint, part: text as Field<Part>, stem: text, term: text });

// bags -> neighbors, pairs, signatures, write

/** Features and weights of all pages, one page after the other. */
export const BAG_ENTRIES = new TableFile('bag', { features: Uint32Array, weights: Uint8Array });
/** Where the entries of each page start, and where the last ones end; the sum of the weights of each. */
export const BAG_OFFSETS = new ArrayFile('bag-offsets', Float64Array);
export const BAG_SUMS = new ArrayFile('bag-sums', Uint16Array);
/** One number: how many features there are. */
export const BAG_FEATURE_COUNT = new ArrayFile('bag-feature-count', Uint32Array);

// neighbors, or pair sort -> clusters, write

/**
 * Nearest pages: how many of each page, and K places for them, see join/pairs/neighbor-table.ts; `nearness` is empty where
 * lists are not ordered by votes.
 */
export const NEIGHBORS = new TableFile('neighbor', RATED_LISTS);

// clusters -> write

/** Of each row of the nearest pages its places by votes, best first, K a page; not where topics are no levels. */
export const NEIGHBOR_PLACES = new ArrayFile('neighbor-places', Uint8Array);

// pairs -> clusters

/** All pairs at or above a similarity, between different bags; and the first page with the bag of each page. */
export const THRESHOLD_PAIRS = new TableFile('exact-pair', {
  ...PAIRS,
  shared: Uint16Array,
  total: Uint16Array,
});
export const THRESHOLD_REPRESENTATIVES = new ArrayFile('exact-pair-representative', Uint32Array);

// The stages of haveliwala2000: signatures, pair generation, pair filter, pair sort -> clusters, write

/** m values of each page. */
export const SIGNATURES = new ArrayFile('signatures', Uint32Array);
/** Pairs that share an LSH-signature; and the first page with the signature of each page. */
export const CANDIDATES = new TableFile('candidate', PAIRS);
export const SIMILAR_REPRESENTATIVES = new ArrayFile('pair-representative', Uint32Array);
/** Those that pass the filter, and in how many values they agree. */
export const FILTERED_PAIRS = new TableFile('filtered', { ...PAIRS, agreement: Uint16Array });
/** One number: of how many values each pair agrees in some. */
export const VALUES_COMPARED = new ArrayFile('values-compared', Uint16Array);
/** The same, sorted. */
export const SIMILAR_PAIRS = new TableFile('pair', { ...PAIRS, agreement: Uint16Array });

// clusters -> write

/** Of each page its class, or NO_CLASS, and the paths of the classes; only where a build was given classes. */
export const CLASS_OF_PAGE = new ArrayFile('class-of-page', Uint32Array);
export const CLASS_PATHS = new RecordFile('class-paths');

/** The center of each page in the clusters of one level. */
export const centersOfLevel = (level: number) => new ArrayFile(`centers-${level}`, Uint32Array);

// copies -> write

/** The version of each page, NONE where it has no text; and those of the past captures, page by page. */
export const VERSION_OF_PAGE = new ArrayFile('copy-versions', Uint32Array);
export const VERSION_OF_PAST = new ArrayFile('copy-past-versions', Uint32Array);
/** Folded pages, which stand for pages with equal shingles: that of each page, and that of each version. */
export const FOLDED_OF_PAGE = new ArrayFile('copy-folded', Uint32Array);
export const FOLDED_OF_VERSION = new ArrayFile('copy-folded-of-version', Uint32Array);
/** Of each folded page: its host, its language, its word simhash where that is asked for. */
export const FOLDED_HOSTS = new ArrayFile('copy-hosts', Uint32Array);
export const FOLDED_LANGUAGES = new ArrayFile('copy-languages', Uint32Array);
export const FOLDED_SIMHASHES = new ArrayFile('copy-simhashes', Uint32Array);
/** Sketches of the folded pages, and behind them those of texts that only past captures have. */
export const SKETCH_OFFSETS = new ArrayFile('copy-offsets', Float64Array);
export const SKETCH_KEYS = new ArrayFile('copy-keys', Float64Array);
export const SKETCH_LIMITS = new ArrayFile('copy-limits', Float64Array);
export const SKETCH_SHINGLE_COUNTS = new ArrayFile('copy-shingle-counts', Uint32Array);
/** Names of the hosts by number. */
export const HOST_NAMES = new RecordFile('copy-host-names');
/** Pairs of folded pages; see join/copies/pair-checks.ts. */
export const COPY_PAIRS = new TableFile('copy-pairs', { ...OVERLAPS, template: Uint32Array });
/** The first folded page of the component of each, in the clustering of one level. */
export const copyRootsOfLevel = (level: number) => new ArrayFile(`copy-roots-${level}`, Uint32Array);
/** Hosts with a template, how many keys each has, and these keys. */
export const TEMPLATES = new TableFile('copy-template', { hosts: Uint32Array, counts: Uint32Array });
export const TEMPLATE_KEYS = new ArrayFile('copy-template-keys', Float64Array);
/** Keys that are ignored, ascending; where there are any, the sketches of the folded pages without them. */
export const COMMON_KEYS = new ArrayFile('copy-common-keys', Float64Array);
export const KEPT_OFFSETS = new ArrayFile('copy-kept-offsets', Float64Array);
export const KEPT_KEYS = new ArrayFile('copy-kept-keys', Float64Array);
/** Lists of pages that share a shingle, each behind its length, while copies are looked for and memory is too small. */
export const COPY_LISTS = new ArrayFile('copy-lists', Uint32Array);

// own features -> write

/** The set of own features of each page, NONE where it has none; equal sets are one. */
export const FEATURE_SET_OF_PAGE = new ArrayFile('own-set-of-page', Uint32Array);
/** These sets, see join/own/feature-sets.ts. */
export const FEATURE_SET_OFFSETS = new ArrayFile('own-offsets', Float64Array);
export const FEATURE_SET_SUMS = new ArrayFile('own-sums', Float64Array);
export const FEATURE_SET_ENTRIES = new TableFile('own', { keys: Float64Array, weights: Float64Array });
/** Pairs of sets that resemble each other, and the first set of the component of each. */
export const FEATURE_PAIRS = new TableFile('own-pairs', OVERLAPS);
export const FEATURE_ROOTS = new ArrayFile('own-roots', Uint32Array);

// vectors -> write, a file for each name of vectors

/** The pages that have one, ascending; of each, in this order, the nearest others by their places in it. */
export const vectorPagesOf = (i: number) => new ArrayFile(`vector-pages-${i}`, Uint32Array);
export const vectorNeighborsOf = (i: number) => new TableFile(`vector-${i}`, LISTS);

// blend -> write

/** Of each page the candidates of its list by words and by vectors, so many places a page; see join/vectors/blend-candidates.ts. */
export const BLEND_CANDIDATES = new TableFile('blend-candidate', {
  ...LISTS,
  counts: Uint16Array,
  words: Uint16Array,
  parts: Uint16Array,
});

// blend or lend -> write

/** The lists, in the order of votes. */
export const ORDERED_LISTS = new TableFile('ordered', RATED_LISTS);

// write

/** Hosts whose titles share parts, and the keys of these parts; see write/shown-titles.ts. */
export const SHARED_TITLES = new FormFile('shared-titles', { origin: ascii, shared: doubles });
/** URLs of the centers of one level, and the labels of their clusters, in the order of the centers. */
export const centerUrlsOfLevel = (level: number) => new RecordFile(`center-urls-${level}`);
export const labelsOfLevel = (level: number) => new RecordFile(`cluster-labels-${level}`);
/** Rows of the search, in the order of their tables, where a thread makes them; and words that wait to be put in order. */
export const SEARCH_ROWS = new FormFile('search-rows', { table: text, values: listOf(stored) });
export const SEARCH_WORDS = 'search-words';
/** The index file until it is published. */
export const INDEX_FILE = 'index.sqlite';
/** Folder of the pairs of a join that do not fit in memory; removed when the join ends. */
export const PAIR_RUNS_FOLDER = 'pair-runs';

function bucketed(prefix: string): (bucket: number) => RecordFile {
  return (bucket) => new RecordFile(bucketName(prefix, bucket));
}

function bucketName(prefix: string, bucket: number): string {
  return `${prefix}-${String(bucket).padStart(4, '0')}`;
}
