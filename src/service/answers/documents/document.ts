/** A posted document becomes what the index would have made of it: its text, its links, its bag. */

import type { Bag } from '../../../features/bag.ts';
import { Analyzer } from '../../../features/counts/analyzer.ts';
import { countPage } from '../../../features/counts/page-counts.ts';
import { type PairCounts, pairText } from '../../../features/counts/pair-tally.ts';
import type { StemCounts } from '../../../features/counts/stem-tally.ts';
import { documentBag, type FeatureStatistics, type PartCounts } from '../../../features/document-bag.ts';
import type { OwnFeatures } from '../../../features/own-features.ts';
import {
  countedParts,
  isByOthers,
  isGroup,
  isOfLinks,
  type Part,
  partNames,
} from '../../../features/parts.ts';
import type { OwnVectors } from '../../../features/vectors.ts';
import type { BagRecipe } from '../../../features/weigh.ts';
import { keptIn } from '../../../lib/kept.ts';
import { extractHtml } from '../../../page/extract-html.ts';
import { extractText } from '../../../page/extract-text.ts';
import type { ExtractedPage } from '../../../page/extracted-page.ts';
import type { PageFields } from '../../../page/fields/page-fields.ts';
import { creditedTargets } from '../../../page/link-list.ts';
import { markSelectors } from '../../../page/marks/marks.ts';
import type { IndexCard, RelationRecord } from '../../../store/records.ts';
import type { IndexFacts } from '../../reads/facts.ts';
import type { Reads } from '../../reads/reads.ts';
import type { Measure } from '../../schemas/fields.ts';

export interface PostedDocument {
  readonly kind: 'html' | 'text';
  readonly content: string;
  readonly title: string | undefined;
  /** Primary subtag, for a document that says none. */
  readonly lang?: string | undefined;
  /** Canonical; null where the document has none. */
  readonly url: string | null;
  readonly baseUrl: string | null;
  /** Features of its owner's. */
  readonly features?: OwnFeatures;
  /** Vectors of its owner's; undefined where it brings none. */
  readonly vectors?: OwnVectors | undefined;
  /** The same; undefined for those of the page that it is known as. */
  readonly fields?: PageFields | undefined;
}

/** Features that a document brings; null for none. */
export function broughtFeatures({ features }: PostedDocument): OwnFeatures | null {
  return features === undefined || Object.keys(features).length === 0 ? null : features;
}

const MAX_WORDS_KEPT = 100_000;

/** Distinct words of a document that are looked up, the most frequent: the longest novels have fewer. */
const MAX_DISTINCT_WORDS = 50_000;

/** Stands for the address of a document that has none, so that its relative links lead nowhere known. */
const NOWHERE = 'http://document.invalid/';

/** A posted document, read as the index has read its pages; `facts` null where there is no index. */
export function extractDocument(document: PostedDocument, facts: IndexFacts | null): ExtractedPage {
  const { body = '', ignore = '' } = (facts?.card.parameters ?? {}) as { body?: string; ignore?: string };
  const page =
    document.kind === 'html'
      ? extractHtml(document.content, document.baseUrl ?? document.url ?? NOWHERE, false, {
          selectors: markSelectors(body, ignore),
        })
      : extractText(document.content);
  const lang = page.lang ?? document.lang ?? null;
  return { ...page, lang, ...(document.title !== undefined && { title: document.title }) };
}

/**
 * The bag that the index would hold for the page: its document frequencies are taken as they are, and of a page that it
 * knows, -1 for none, what links say of it.
 *
 * @param features of its owner's; null for those of the page that it is known as.
 */
export async function bagOfDocument(...asked: Parameters<typeof weighDocument>): Promise<Bag> {
  return (await weighDocument(...asked)).bag;
}

/** The same, and how many distinct words the page has, known to the index or not; and words of its text, stop words included. */
export async function weighDocument(
  reads: Reads,
  relation: RelationRecord,
  page: ExtractedPage,
  pageId = -1,
  features: OwnFeatures | null = null,
): Promise<{ readonly bag: Bag; readonly wordCount: number; readonly textWordCount: number }> {
  const { analyzer, recipe } = weigherOf(reads.facts, relation);
  const counts = countPage(page, [], analyzer, { windowWords: 0, ...countedParts(recipe.parts) });
  const textWordCount = counts.wordCount;
  const content = mostFrequent(counts.content.toMap());
  const title = counts.title.toMap();
  const bigram = counts.bigram === null ? new Map() : mostFrequent(pairsOf(counts.bigram, counts.content));
  const groups = Object.entries(features ?? {}).map(([group, own]) => [group, new Map(Object.entries(own))]);
  const own: PartCounts = {
    content,
    title,
    heading: counts.heading.toMap(),
    bigram,
    ...Object.fromEntries(groups),
    ...(recipe.parts['out'] !== undefined && { out: await targets(reads, page, pageId) }),
  };
  const wordCount = distinctWords(content, title);
  const known =
    pageId < 0
      ? null
      : await partsOfPage(
          reads,
          relation,
          pageId,
          (part) => isByOthers(part) || (features === null && isGroup(part)),
        );
  if (known !== null) {
    const bag = joinParts(await weighed(reads, relation, own), known);
    return { bag, wordCount, textWordCount };
  }
  // Nothing links to it yet: its title is its anchor bag where the profile puts titles there, and where the
  // index knows pages by their anchor bags alone, its own words stand in.
  const titleAsAnchor = reads.facts.card.parameters['title_in_anchor'] === true ? title : new Map();
  const anchor = recipe.parts['content'] === undefined ? sumCounts(content, title) : titleAsAnchor;
  return { bag: await weighed(reads, relation, { ...own, anchor }), wordCount, textWordCount };
}

/** The bag of what was counted: what the index knows of it is read together. */
async function weighed(reads: Reads, relation: RelationRecord, counts: PartCounts): Promise<Bag> {
  const { recipe, features } = weigherOf(reads.facts, relation);
  const parts = partNames(recipe.parts).filter((part) => counts[part] !== undefined);
  const pageCounts = new Map(
    await Promise.all(
      parts.map(async (part) => [part, await reads.partPageCount(relation.id, part)] as const),
    ),
  );
  const found = new Map<string, FeatureStatistics | undefined>();
  await Promise.all(
    parts.flatMap((part) =>
      Array.from(counts[part]!.keys(), async (stem) => {
        const key = `${part} ${stem}`;
        if (!features.has(key)) {
          const kept = await findFeature(reads, relation, part, stem);
          found.set(key, kept);
          // What could not be asked is not known to be missing.
          if (reads.lost.length > 0) return;
          if (features.size >= MAX_WORDS_KEPT) features.clear();
          features.set(key, kept);
        } else found.set(key, features.get(key));
      }),
    ),
  );
  return documentBag(
    counts,
    (part, stem) => found.get(`${part} ${stem}`),
    (part) => pageCounts.get(part)!,
    recipe,
  );
}

async function findFeature(
  reads: Reads,
  relation: RelationRecord,
  part: Part,
  stem: string,
): Promise<FeatureStatistics | undefined> {
  const name = isOfLinks(part) ? String(await reads.idOf(stem)) : stem;
  const feature = await reads.findFeature(relation.id, part, name);
  return feature === null ? undefined : { id: feature.id, pageCount: feature.pageCount };
}

/**
 * What is said of figures of a document that was read: they are estimates where the index could not be asked what it has of the
 * document itself, or of pages that it links to.
 */
export function asKnown<Figures extends { readonly measure: Measure }>(
  { lost }: Pick<Reads, 'lost'>,
  figures: Figures,
): Figures {
  return lost.length === 0 ? figures : { ...figures, measure: 'estimate' };
}

/** How many different words a page of the index has, known or not; all its words where its text is not kept. */
export async function pageWordCount(reads: Reads, relation: RelationRecord, pageId: number): Promise<number> {
  const [{ lang, wordCount }, versionId] = await Promise.all([
    reads.page(pageId),
    reads.currentVersion(pageId),
  ]);
  const kept = versionId < 0 ? null : await reads.versionText(versionId);
  if (kept === null) return wordCount;
  const { analyzer } = weigherOf(reads.facts, relation);
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
async function targets(reads: Reads, page: ExtractedPage, self: number): Promise<Map<string, number>> {
  const ids = (await linkedIds(reads, creditedTargets(page))).filter((id) => id !== self);
  const pages = await Promise.all(Array.from(ids, (id) => reads.page(id)));
  return new Map(pages.map(({ url }) => [url, 1]));
}

/** Some parts of the bag of a page; null where it has none of them. Cost: a look-up a feature, some hundred. */
async function partsOfPage(
  reads: Reads,
  { id }: RelationRecord,
  pageId: number,
  takes: (part: Part) => boolean,
): Promise<Bag | null> {
  const { features, weights } = await reads.bag(id, pageId);
  const rows = await Promise.all(Array.from(features, (feature) => reads.feature(id, feature)));
  const slots = Array.from(features.keys()).filter((slot) => takes(rows[slot]!.part));
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

/** More words than these would all get weight 0: a bag has some hundred units for all. */
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
  /** By part and stem, of the words met so far; undefined for one that the index does not have. */
  readonly features: Map<string, FeatureStatistics | undefined>;
}

/** Stems and features of the words met so far are kept, for as long as their generation is served. */
const weighers = new WeakMap<IndexCard, Map<number, Weigher>>();

function weigherOf(facts: IndexFacts, relation: RelationRecord): Weigher {
  const ofIndex = keptIn(weighers, facts.card, () => new Map());
  return keptIn(ofIndex, relation.id, () => makeWeigher(facts));
}

function makeWeigher({ card }: IndexFacts): Weigher {
  const stopWords = stopWordsOf(card.parameters['stop_words']);
  return {
    analyzer: new Analyzer({ stopWords, spill: () => {} }),
    recipe: card.parameters['recipe'] as BagRecipe,
    features: new Map(),
  };
}

/** Ids, ascending, of the pages of the index that the document links to. */
export function linkedPages(reads: Reads, page: ExtractedPage): Promise<Uint32Array> {
  const targets = page.links().kept.map(({ target }) => target);
  return linkedIds(reads, targets);
}

async function linkedIds(reads: Reads, urls: readonly string[]): Promise<Uint32Array> {
  const ids = await Promise.all(Array.from(new Set(urls), (url) => reads.idOf(url)));
  return Uint32Array.from(new Set(ids.filter((id) => id >= 0))).sort();
}

function stopWordsOf(parameter: unknown): ReadonlySet<string> | null {
  return Array.isArray(parameter) ? new Set(parameter as string[]) : null;
}
