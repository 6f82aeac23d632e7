/** Measures that need exact similarities of sampled pages: recall, the measured S-curve, Gamma. */
import { familialDistance, type Path } from '../../evaluate/familial-distance.ts';
import { addCounts, comparePairs, gamma, type PairCounts, type Relative } from '../../evaluate/gamma.ts';
import { binOf } from '../../evaluate/histogram.ts';
import type { Labels } from '../../evaluate/relevance.ts';
import { weightedJaccard } from '../../join/exact/weighted-jaccard.ts';
import { BoundedHeap } from '../../lib/bounded-heap.ts';
import { candidatesBy } from '../../relations/kernels.ts';
import { foundBlend, MEANING } from '../../relations/meaning.ts';
import type { IndexReader } from '../../store/read/reader.ts';
import type { RelationRecord } from '../../store/records.ts';
import { type Separator, toPath } from './judgements.ts';
import type { GammaReport, RecallReport, SCurveReport } from './report.ts';
import { samplePages, visitSimilarities } from './sampled-overlaps.ts';

const RECALL_AT = 10;
const CURVE_BINS = 50;
/** A share of fewer pairs means little. */
const LEAST_PAIRS = 5;
/** Pages that are ordered around each source of Gamma. */
const GAMMA_PAGES = 5000;

interface TruthOptions {
  readonly sampleSize: number;
  readonly seed: number;
  readonly labels: Labels<number> | null;
  readonly separator: Separator | null;
  /** Whether the pairs found are counted by similarity. */
  readonly hasCurve: boolean;
}

interface Truth {
  readonly recall: RecallReport | null;
  readonly measuredCurve: SCurveReport['measured'];
  readonly gamma: GammaReport | null;
}

/** Cost  one pass over all bags. */
export function measureTruth(reader: IndexReader, relation: RelationRecord, options: TruthOptions): Truth {
  const { sampleSize, seed, labels, separator, hasCurve } = options;
  // What lists by vectors lack is measured in a build, and stands in the index.
  if (relation.name === MEANING.name) return { recall: null, measuredCurve: [], gamma: null };
  const isBySimilarity =
    candidatesBy(relation) === 'similarity' && foundBlend(reader.card().parameters) === null;
  const sums = reader.bagSums(relation.id);
  const filled = Array.from(sums.keys()).filter((page) => sums[page]! > 0);
  const recall = new Recall(reader, relation, samplePages(filled, sampleSize, seed), hasCurve);
  const labelled = [...(labels?.keys() ?? [])].filter((page) => sums[page]! > 0).sort((x, y) => x - y);
  const kin = labels !== null && separator !== null ? new Kin(labelled, labels, separator, options) : null;
  const sample = [...recall.sample, ...(kin?.sources ?? [])];
  visitSimilarities(reader, relation.id, sample, (position, page, similarity) => {
    if (position < recall.sample.length) recall.add(position, page, similarity);
    else kin?.add(position - recall.sample.length, page, similarity);
  });
  return {
    // Of lists that are found by other than similarity, how many of the most similar they have says nothing.
    recall: isBySimilarity ? recall.report(seed) : null,
    measuredCurve: hasCurve ? recall.curve() : [],
    gamma: kin?.report(seed) ?? null,
  };
}

class Recall {
  readonly sample: readonly number[];
  readonly #reader: IndexReader;
  readonly #relation: RelationRecord;
  readonly #lists: Uint32Array[];
  /** Pages that a sampled page has a stored pair with; null where no curve is wanted. */
  readonly #partners: Set<number>[] | null;
  readonly #heaps: BoundedHeap[];
  readonly #pairs = new Float64Array(CURVE_BINS);
  readonly #found = new Float64Array(CURVE_BINS);
  readonly #similarities = new Float64Array(CURVE_BINS);

  constructor(reader: IndexReader, relation: RelationRecord, sample: readonly number[], hasCurve: boolean) {
    this.sample = sample;
    this.#reader = reader;
    this.#relation = relation;
    const k = Math.min(RECALL_AT, relation.neighborLimit);
    this.#lists = sample.map((page) => reader.neighbors(relation.id, page).ids);
    this.#partners = hasCurve ? this.#findPartners() : null;
    this.#heaps = sample.map(() => new BoundedHeap(k));
  }

  add(position: number, page: number, similarity: number): void {
    const { floor } = this.#relation;
    if (similarity >= floor) this.#heaps[position]!.offer(similarity, page, 0);
    if (this.#partners === null) return;
    const bin = binOf(similarity, CURVE_BINS);
    this.#pairs[bin]!++;
    this.#similarities[bin]! += similarity;
    if (this.#partners[position]!.has(page)) this.#found[bin]!++;
  }

  report(seed: number): RecallReport | null {
    let [wanted, held] = [0, 0];
    for (const [position, heap] of this.#heaps.entries()) {
      if (heap.size === 0) continue;
      const least = heap.scores.subarray(0, heap.size).reduce((x, y) => Math.min(x, y));
      wanted += heap.size;
      held += Math.min(heap.size, this.#countAtLeast(position, least));
    }
    if (wanted === 0) return null;
    const k = this.#heaps[0]!.capacity;
    return { k, sampleCount: this.sample.length, seed, recall: held / wanted, wantedCount: wanted };
  }

  /** Where similarities tie at the end of the list, any of the tied pages counts. */
  #countAtLeast(position: number, least: number): number {
    const bagOf = (page: number) => this.#reader.bag(this.#relation.id, page);
    const own = bagOf(this.sample[position]!);
    return this.#lists[position]!.filter((page) => weightedJaccard(own, bagOf(page)) >= least).length;
  }

  /** A full list can lack a page whose own list holds the pair. */
  #findPartners(): Set<number>[] {
    const partners = this.#lists.map((list) => new Set(list));
    const positionOf = new Map(this.sample.map((page, position) => [page, position]));
    for (const { pageId, list } of this.#reader.allNeighbors(this.#relation.id)) {
      for (const id of list.ids) {
        const position = positionOf.get(id);
        if (position !== undefined) partners[position]!.add(pageId);
      }
    }
    return partners;
  }

  curve(): SCurveReport['measured'] {
    return [...this.#pairs].flatMap((pairCount, bin) =>
      pairCount < LEAST_PAIRS
        ? []
        : [
            {
              similarity: this.#similarities[bin]! / pairCount,
              found: this.#found[bin]! / pairCount,
              pairCount,
            },
          ],
    );
  }
}

/** Orderings by similarity and by familial distance around sampled sources. */
class Kin {
  readonly sources: readonly number[];
  readonly #pages: readonly number[];
  readonly #slotOf: Map<number, number>;
  readonly #similarities: Float64Array;
  readonly #paths: (page: number) => readonly Path[];
  readonly #separator: Separator;

  constructor(
    labelled: readonly number[],
    labels: Labels<number>,
    separator: Separator,
    { sampleSize, seed }: TruthOptions,
  ) {
    this.sources = samplePages(labelled, sampleSize, seed + 1);
    this.#pages = samplePages(labelled, GAMMA_PAGES, seed + 2);
    this.#slotOf = new Map(this.#pages.map((page, slot) => [page, slot]));
    this.#similarities = new Float64Array(this.sources.length * this.#pages.length);
    this.#separator = separator;
    const paths = new Map(
      labelled.map((page) => [page, [...labels.get(page)!].map((l) => toPath(l, separator))]),
    );
    this.#paths = (page) => paths.get(page)!;
  }

  add(source: number, page: number, similarity: number): void {
    const slot = this.#slotOf.get(page);
    if (slot !== undefined) this.#similarities[source * this.#pages.length + slot] = similarity;
  }

  report(seed: number): GammaReport | null {
    const none: PairCounts = { agreeing: 0, opposed: 0, tied: 0 };
    let [all, siblings] = [none, none];
    for (const [position, source] of this.sources.entries()) {
      const relatives = this.#relatives(position, source);
      all = addCounts(all, comparePairs(relatives));
      siblings = addCounts(siblings, comparePairs(relatives.filter(({ distance }) => distance <= 1)));
    }
    const ordered = all.agreeing + all.opposed;
    if (ordered === 0) return null;
    return {
      separator: this.#separator,
      sourceCount: this.sources.length,
      pageCount: this.#pages.length,
      seed,
      gamma: gamma(all),
      siblingGamma: gamma(siblings),
      tiedShare: all.tied / (ordered + all.tied),
    };
  }

  #relatives(position: number, source: number): Relative[] {
    const own = this.#paths(source);
    return this.#pages.flatMap((page, slot) =>
      page === source
        ? []
        : [
            {
              similarity: this.#similarities[position * this.#pages.length + slot]!,
              distance: familialDistance(own, this.#paths(page)),
            },
          ],
    );
  }
}
