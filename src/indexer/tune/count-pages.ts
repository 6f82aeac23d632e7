/** The counts of some pages of an index, by part, as a build of the index would have them for other shares. */

import { type Counted, CountedPages } from '../../features/counted-pages.ts';
import { Analyzer } from '../../features/counts/analyzer.ts';
import { countPage } from '../../features/counts/page-counts.ts';
import { type PairCounts, pairKey } from '../../features/counts/pair-tally.ts';
import type { StemCounts } from '../../features/counts/stem-tally.ts';
import { unpackFeatures } from '../../features/own-features.ts';
import { inOrder, isOfLinks, type Part } from '../../features/parts.ts';
import { Random } from '../../lib/random.ts';
import { TOPIC_PROFILES } from '../../relations/topic.ts';
import { parseStopWords } from '../../text/stop-words.ts';
import { divideMemory } from '../files/budget.ts';
import { buildKey } from '../files/build-key.ts';
import { FEATURE_HASHES } from '../files/records/stage-files.ts';
import { type BuildListener, StageRunner } from '../files/stage-runner.ts';
import { WorkFolder } from '../files/work-folder.ts';
import { partsToCount } from '../gather/extract/index-input.ts';
import { gatherPages } from '../gather/gather-pages.ts';
import { collapsedPages } from '../gather/records/collapsed-pages.ts';
import { CountsBuffer } from '../gather/records/counts-buffer.ts';
import { type BuildOptions, dividedOptions } from '../options/build-options.ts';
import { findFeatures, Scratch } from '../weigh/bags.ts';
import { countFrequencies, type FeatureTable } from '../weigh/frequencies.ts';
import { writeLinkRows } from '../weigh/link-rows.ts';
import { ownFeatures, partCounts } from '../weigh/part-counts.ts';
import { FeatureLookup, nameFeatures } from '../weigh/vocabulary.ts';

const BUCKETS = 16;

/** A text that is no page: its words are known, links to it and from it are not. */
export interface LooseText {
  readonly title: string;
  readonly isPlain: boolean;
  readonly text: string;
  readonly lang: string | null;
}

/** Whose counts are wanted. */
interface Wanted {
  /** URLs of pages. */
  readonly pages: ReadonlySet<string>;
  /** Of the pages that are known by links alone this share, by chance. */
  readonly unreadShare: number;
  readonly seed: number;
  readonly texts: readonly LooseText[];
}

interface CountedIndex {
  /** The pages in the order of `urls`, then the texts. */
  readonly counted: Counted;
  readonly urls: readonly string[];
  /** Pages that are known by links alone. */
  readonly unreadCount: number;
}

/**
 * Runs the stages of a build up to the features, with every part that the inputs have, groups of features of one's own
 * among them, and takes in the counts of what is `wanted`. The work folder beside the target is gone when it returns.
 *
 * Errors  those of a build.
 */
export async function countPages(
  order: BuildOptions,
  wanted: Wanted,
  listener: BuildListener,
): Promise<CountedIndex> {
  const { input, resources, task } = dividedOptions(order);
  const builtIn = partsToCount(input);
  const parted = { parts: Object.fromEntries(builtIn.map((part) => [part, 1 / builtIn.length])) };
  const folder = WorkFolder.open(order.target, buildKey({ ...order, ...parted }), 0);
  try {
    const stages = new StageRunner(folder, resources, listener);
    const { extracted, pageCount } = await gatherPages(input, { ...task, ...parted }, stages, BUCKETS);
    const parts = inOrder([...builtIn, ...groupsOf(folder)]);
    const budget = divideMemory(resources.memoryBytes);
    const counted = { folder, parts, titleInAnchor: TOPIC_PROFILES[task.profile].titleInAnchor };
    if (parts.some(isOfLinks)) writeLinkRows(folder, pageCount, budget.linkRows.links);
    const table = countFrequencies(counted, task, budget.frequencies.tables);
    nameFeatures(folder, table, parts, extracted.bucketCount, budget.names.forms);
    const taker = new Taker(folder, table, parts);
    const urls: string[] = [];
    let unreadCount = 0;
    const random = new Random(wanted.seed);
    const pages = collapsedPages(folder);
    for (const counts of partCounts(counted)) {
      const { url, page, past } = pages.next().value!;
      const isUnread = page === null && past.length === 0;
      const isChosen = isUnread && random.nextUint32() < wanted.unreadShare * 2 ** 32;
      if (!isChosen && !wanted.pages.has(url)) continue;
      if (isUnread) unreadCount++;
      urls.push(url);
      taker.take(counts);
    }
    for (const counts of textCounts(wanted.texts, parts, task.stopWords)) taker.take(counts);
    return { counted: taker.counted(), urls, unreadCount };
  } finally {
    folder.discard();
  }
}

/** Names of the groups of features of one's own that pages have. */
function groupsOf(folder: WorkFolder): Set<Part> {
  const groups = new Set<Part>();
  for (const packed of ownFeatures(folder)) {
    for (const group of Object.keys(unpackFeatures(packed))) groups.add(group);
  }
  return groups;
}

/** The counts of texts by part, as `partCounts` gives those of pages: parts that are not of words are empty. */
function* textCounts(
  texts: readonly LooseText[],
  parts: readonly Part[],
  stopWords: string | null,
): IterableIterator<readonly CountsBuffer[]> {
  const analyzer = new Analyzer({
    stopWords: stopWords === null ? null : parseStopWords(stopWords),
    spill: () => {},
  });
  const buffers = parts.map(() => new CountsBuffer());
  const bigrams = parts.includes('bigram');
  for (const text of texts) {
    const { content, title, bigram } = countPage(text, [], analyzer, { windowWords: 0, bigrams });
    for (const [part, { keys, tfs }] of Object.entries({ content, title, ...pairsIn(bigram, content) })) {
      const buffer = buffers[parts.indexOf(part)]!;
      buffer.clear(tfs.length);
      for (const [i, tf] of tfs.entries()) buffer.push(keys[i]!, tf);
    }
    yield buffers;
  }
}

/** Pairs of words as counts of a part, under the keys of the pairs; none where none were counted. */
function pairsIn(bigram: PairCounts | null, { keys }: StemCounts) {
  if (bigram === null) return {};
  const { lefts, rights, tfs } = bigram;
  const pairKeys = Array.from(lefts, (left, i) => pairKey(keys[left]!, keys[rights[i]!]!));
  return { bigram: { keys: pairKeys, tfs } };
}

/** Takes in counts under the features of a folder. */
class Taker {
  readonly #parts: readonly Part[];
  readonly #pages: CountedPages;
  readonly #lookup: FeatureLookup;
  readonly #pageCounts: Uint32Array;
  readonly #hashes: Uint32Array;
  readonly #scratch = new Scratch();

  constructor(folder: WorkFolder, table: FeatureTable, parts: readonly Part[]) {
    const { partPageCounts, pageCounts, keys } = table;
    this.#parts = parts;
    this.#pages = new CountedPages({ parts, partPageCounts, featureCount: keys.length });
    this.#lookup = new FeatureLookup(table, parts);
    this.#pageCounts = pageCounts;
    this.#hashes = FEATURE_HASHES.read(folder);
  }

  take(counts: readonly CountsBuffer[]): void {
    for (const [part] of this.#parts.entries()) {
      const own = counts[part]!;
      const length = findFeatures(this.#lookup, part, own, this.#pageCounts, this.#hashes, this.#scratch);
      this.#pages.add({ ...this.#scratch, length });
    }
  }

  counted(): Counted {
    return this.#pages.counted();
  }
}
