/** A posted document becomes what the index would have made of it: its text, its links, its bag. */
import { Analyzer } from '../../../features/analyzer.ts';
import type { Bag } from '../../../features/bag.ts';
import {
  type BagRecipe,
  documentBag,
  type FeatureStatistics,
  type PartCounts,
} from '../../../features/document-bag.ts';
import type { OwnFeatures } from '../../../features/own-features.ts';
import { countPage } from '../../../features/page-counts.ts';
import { type PairCounts, pairText } from '../../../features/pair-tally.ts';
import { countedParts, isByOthers, isGroup, isOfLinks, type Part } from '../../../features/parts.ts';
import type { StemCounts } from '../../../features/stem-tally.ts';
import { extractHtml } from '../../../page/extract-html.ts';
import { extractText } from '../../../page/extract-text.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import type { RelationRecord } from '../../../store/records.ts';
import { builtInStopWords } from '../../../text/stop-words.ts';
import { canonicalUrl } from '../../../url/canonical-url.ts';
import type { Generation } from '../../held/generation.ts';

export interface PostedDocument {
  readonly kind: 'html' | 'text';
  readonly content: string;
  readonly title: string | undefined;
  /** Canonical; null where the document has none. */
  readonly url: string | null;
  readonly baseUrl: string | null;
  /** Features of its owner's. */
  readonly features?: OwnFeatures;
}

const MAX_WORDS_KEPT = 100_000;

/** Distinct words of a document that are looked up, the most frequent: the longest novels have fewer. */
const MAX_DISTINCT_WORDS = 50_000;

/** Stands for the address of a document that has none, so that its relative links lead nowhere known. */
const NOWHERE = 'http://document.invalid/';

export function extractDocument(document: PostedDocument): ExtractedPage {
  const page =
    document.kind === 'html'
      ? extractHtml(document.content, document.baseUrl ?? document.url ?? NOWHERE)
      : extractText(document.content);
  return document.title === undefined ? page : { ...page, title: document.title };
}

/**
 * The bag that the index would hold for the page: its document frequencies are taken as they are, and of a page that it
 * knows, -1 for none, what links say of it, and its features where the document brings none.
 */
export function bagOfDocument(
  generation: Generation,
  relation: RelationRecord,
  page: ExtractedPage,
  pageId = -1,
  features: OwnFeatures = {},
): Bag {
  return weighDocument(generation, relation, page, pageId, features).bag;
}

/** The same, and how many distinct words the page has, known to the index or not. */
export function weighDocument(
  generation: Generation,
  relation: RelationRecord,
  page: ExtractedPage,
  pageId = -1,
  features: OwnFeatures = {},
): { readonly bag: Bag; readonly wordCount: number } {
  const { analyzer, recipe, findFeature, partPageCount } = weigherOf(generation, relation);
  const counts = countPage(page, [], analyzer, { windowWords: 0, ...countedParts(recipe.parts) });
  const content = mostFrequent(counts.content.toMap());
  const title = counts.title.toMap();
  const bigram = counts.bigram === null ? new Map() : mostFrequent(pairsOf(counts.bigram, counts.content));
  const groups = Object.entries(features).map(([group, own]) => [group, new Map(Object.entries(own))]);
  const own: PartCounts = {
    content,
    title,
    heading: counts.heading.toMap(),
    bigram,
    ...Object.fromEntries(groups),
    ...(recipe.parts['out'] !== undefined && { out: targets(generation, page, pageId) }),
  };
  const known =
    pageId < 0
      ? null
      : partsOfPage(
          generation,
          relation,
          pageId,
          (part) => isByOthers(part) || (groups.length === 0 && isGroup(part)),
        );
  if (known !== null) {
    const bag = joinParts(documentBag(own, findFeature, partPageCount, recipe), known);
    return { bag, wordCount: distinctWords(content, title) };
  }
  // Nothing links to it yet: its title is its anchor bag where the profile puts titles there, and where the
  // index knows pages by their anchor bags alone, its own words stand in.
  const titleAsAnchor = generation.card.parameters['title_in_anchor'] === true ? title : new Map();
  const anchor = recipe.parts['content'] === undefined ? sumCounts(content, title) : titleAsAnchor;
  const bag = documentBag({ ...own, anchor }, findFeature, partPageCount, recipe);
  return { bag, wordCount: distinctWords(content, title) };
}

/** How many different words a page of the index has, known or not; all its words where its text is not kept. */
export function pageWordCount(generation: Generation, relation: RelationRecord, pageId: number): number {
  const { reader } = generation;
  const { lang, wordCount } = reader.page(pageId);
  const versionId = reader.versions.current(pageId);
  const kept = versionId < 0 ? null : reader.versions.text(versionId);
  if (kept === null) return wordCount;
  const { analyzer } = weigherOf(generation, relation);
  const counts = countPage({ ...kept, lang }, [], analyzer, { windowWords: 0 });
  return distinctWords(counts.content.toMap(), counts.title.toMap());
}

function distinctWords(...parts: readonly ReadonlyMap<string, number>[]): number {
  return new Set(parts.flatMap((part) => [...part.keys()])).size;
}

/** Pair of stems to uses; `words` are the counts of the text. */
function pairsOf({ lefts, rights, tfs }: PairCounts, words: StemCounts): Map<string, number> {
  return new Map(Array.from(tfs, (tf, i) => [pairText(words.stem(lefts[i]!), words.stem(rights[i]!)), tf]));
}

/** Each page of the index that links of the document credit, once, by its URL. */
function targets(generation: Generation, page: ExtractedPage, self: number): Map<string, number> {
  const { reader } = generation;
  const followed = page.nofollow ? [] : page.links().kept.filter((link) => !link.nofollow);
  const ids = linkedIds(generation, followed).filter((id) => id !== self);
  return new Map(Array.from(ids, (id) => [reader.page(id).url, 1]));
}

/** Some parts of the bag of a page; null where it has none of them. Cost: a look-up a feature, some hundred. */
function partsOfPage(
  { reader }: Generation,
  { id }: RelationRecord,
  pageId: number,
  takes: (part: Part) => boolean,
): Bag | null {
  const { features, weights } = reader.bag(id, pageId);
  const slots = Array.from(features.keys()).filter((slot) => takes(reader.feature(id, features[slot]!).part));
  if (slots.length === 0) return null;
  return {
    features: Uint32Array.from(slots, (slot) => features[slot]!),
    weights: Uint8Array.from(slots, (slot) => weights[slot]!),
    sum: slots.reduce((sum, slot) => sum + weights[slot]!, 0),
  };
}

/** Two bags that have no feature in common as one. */
function joinParts(a: Bag, b: Bag): Bag {
  const weightOf = new Map<number, number>();
  for (const { features, weights } of [a, b]) {
    for (const [slot, feature] of features.entries()) weightOf.set(feature, weights[slot]!);
  }
  const features = Uint32Array.from(weightOf.keys()).sort();
  const weights = Uint8Array.from(features, (feature) => weightOf.get(feature)!);
  return { features, weights, sum: a.sum + b.sum };
}

/** The weights of any more would be rounded to nothing: a bag has some hundred units for all. */
function mostFrequent(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  if (counts.size <= MAX_DISTINCT_WORDS) return counts;
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_DISTINCT_WORDS));
}

function sumCounts(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): Map<string, number> {
  const sums = new Map(a);
  for (const [stem, count] of b) sums.set(stem, (sums.get(stem) ?? 0) + count);
  return sums;
}

interface Weigher {
  readonly analyzer: Analyzer;
  readonly recipe: BagRecipe;
  findFeature(part: Part, stem: string): FeatureStatistics | undefined;
  partPageCount(part: Part): number;
}

/** Stems and features of the words met so far are kept, for as long as their generation is served. */
const weighers = new WeakMap<Generation, Map<number, Weigher>>();

function weigherOf(generation: Generation, relation: RelationRecord): Weigher {
  const ofGeneration = weighers.get(generation) ?? new Map<number, Weigher>();
  weighers.set(generation, ofGeneration);
  let weigher = ofGeneration.get(relation.id);
  if (weigher === undefined) ofGeneration.set(relation.id, (weigher = makeWeigher(generation, relation)));
  return weigher;
}

function makeWeigher({ reader, card, catalog }: Generation, relation: RelationRecord): Weigher {
  const stopWords = stopWordsOf(card.parameters['stop_words']);
  const features = new Map<string, FeatureStatistics | undefined>();
  return {
    analyzer: new Analyzer({ stopWords, spill: () => {} }),
    recipe: card.parameters['recipe'] as BagRecipe,
    partPageCount: (part) => reader.partPageCount(relation.id, part),
    findFeature: (part, stem) => {
      const key = `${part} ${stem}`;
      if (features.has(key)) return features.get(key);
      if (features.size >= MAX_WORDS_KEPT) features.clear();
      const feature = reader.findFeature(
        relation.id,
        part,
        isOfLinks(part) ? String(catalog.findMentioned(stem)) : stem,
      );
      const kept = feature && { id: feature.id, pageCount: feature.pageCount };
      features.set(key, kept);
      return kept;
    },
  };
}

/** Ids, ascending, of the pages of the index that the document links to. */
export function linkedPages(generation: Generation, page: ExtractedPage): Uint32Array {
  return linkedIds(generation, page.links().kept);
}

function linkedIds({ catalog }: Generation, links: readonly { readonly target: string }[]): Uint32Array {
  const ids = new Set<number>();
  for (const { target } of links) {
    const url = canonicalUrl(target);
    const pageId = url === null ? -1 : catalog.findMentioned(url);
    if (pageId >= 0) ids.add(pageId);
  }
  return Uint32Array.from(ids).sort();
}

function stopWordsOf(parameter: unknown): ReadonlySet<string> {
  return Array.isArray(parameter) ? new Set(parameter as string[]) : builtInStopWords();
}
