/**
 * Measured   recall of the printed profile's stored pairs by similarity, beside the probability that theory gives
 *            (src/join/printed/s-curve.ts), against all pairs of a sample of pages by exact weighted Jaccard; and, for the
 *            default profile, that the stored neighbors are the nearest pages and their similarities exact.
 * Corpus     7,937 pages of the MDN archive, content bags, 2,000 of them sampled.
 * Notes      The index keeps at most 255 neighbors a page here: sampled pages whose list is full are left out,
 *            as pairs may have fallen off it. Of each page one random pair a bin is judged: the pairs of a family of
 *            near-equal pages are found or missed together. Truth is summed over posting lists kept by this file, not by src/join.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Bag } from '../../src/features/bag.ts';
import { filteredBands, sharedRecall } from '../../src/join/printed/s-curve.ts';
import { Random } from '../../src/lib/random.ts';
import { TOPIC_PROFILES } from '../../src/relations/topic.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { announce, type BenchResult, round, type Table } from '../bench.ts';
import { buildOne } from '../build-one.ts';
import { dataFile, withFolder } from '../corpora/data.ts';
import { archivedPages, cachedJsonl } from '../corpora/jsonl.ts';

const SAMPLE = 2000;
const STORED_LIMIT = 255;
const BIN_STARTS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8];
/** Bins with fewer pairs are printed, not judged. */
const MIN_JUDGED_PAIRS = 300;
const TOLERANCE = 0.05;

export async function run(): Promise<BenchResult> {
  dataFile('mdn-archive/html.tar.zst');
  const path = await cachedJsonl('mdn-archive', () =>
    archivedPages('mdn-archive/html.tar.zst', 'mdn-archive/labels.tsv'),
  );
  return withFolder(async (folder) => {
    const printed = join(folder, 'printed.akin');
    const exact = join(folder, 'exact.akin');
    const shared = { input: { path }, parts: 'content' } as const;
    const first = await buildOne({
      ...shared,
      target: printed,
      profile: 'haveliwala2000',
      neighborLimit: STORED_LIMIT,
    });
    const second = await buildOne({ ...shared, target: exact, profile: 'akin' });
    const corpus = {
      pages: first.pageCount,
      'index bytes, haveliwala2000': first.indexBytes,
      'index bytes, akin': second.indexBytes,
    };
    announce(corpus);
    const sample = samplePages(first.pageCount);
    return { corpus, tables: [recallTable(printed, sample), exactnessTable(exact, sample)] };
  });
}

function samplePages(pageCount: number): Uint32Array {
  const random = new Random(7);
  const chosen = new Set<number>();
  while (chosen.size < SAMPLE) chosen.add(random.below(pageCount));
  return Uint32Array.from(chosen);
}

function recallTable(path: string, sample: Uint32Array): Table {
  const reader = IndexReader.open(path);
  const relation = reader.relation('topic')!;
  const truth = new OverlapTruth(reader, relation.id);
  const { m, k, l } = TOPIC_PROFILES.haveliwala2000.signature!;
  const bands = filteredBands({ m, k, l }, relation.floor);
  const bins = BIN_STARTS.map(() => ({ pairs: 0, found: 0, expected: 0 }));
  const random = new Random(8);
  let judged = 0;
  for (const page of sample) {
    const stored = new Set(reader.neighbors(relation.id, page).ids);
    if (stored.size === STORED_LIMIT) continue;
    judged++;
    const pairsByBin = Map.groupBy(truth.neighbors(page), ({ shared, total }) =>
      BIN_STARTS.findLastIndex((start) => shared / total >= start),
    );
    for (const [index, pairs] of pairsByBin) {
      const bin = bins[index];
      if (bin === undefined) continue;
      const { id, shared, total } = pairs[random.below(pairs.length)]!;
      const similarity = shared / total;
      bin.pairs++;
      if (stored.has(id)) bin.found++;
      bin.expected += sharedRecall(similarity, bands);
    }
  }
  reader.close();
  assert.ok(judged >= 1000, `${judged} pages are judged`);
  for (const [i, { pairs, found, expected }] of bins.entries()) {
    if (pairs < MIN_JUDGED_PAIRS) continue;
    const off = Math.abs(found - expected) / pairs;
    assert.ok(off < TOLERANCE, `at ${BIN_STARTS[i]} recall is ${found / pairs}, theory ${expected / pairs}`);
  }
  return {
    caption: `haveliwala2000: recall of pairs of ${judged} sampled pages (m = ${m}, k = ${k}, l = ${l}, filter at ${bands.leastAgreement} of ${m})`,
    columns: ['similarity from', 'to', 'pairs', 'recall', 'theory'],
    rows: bins.map(({ pairs, found, expected }, i) => [
      BIN_STARTS[i]!,
      BIN_STARTS[i + 1] ?? 1,
      pairs,
      pairs === 0 ? '-' : round(found / pairs),
      pairs === 0 ? '-' : round(expected / pairs),
    ]),
  };
}

function exactnessTable(path: string, sample: Uint32Array): Table {
  const reader = IndexReader.open(path);
  const relation = reader.relation('topic')!;
  const truth = new OverlapTruth(reader, relation.id);
  let reported = 0;
  for (const page of sample) {
    const list = reader.neighbors(relation.id, page);
    const nearest = truth
      .neighbors(page)
      .filter(({ shared, total }) => shared / total >= relation.floor)
      .sort((a, b) => b.shared / b.total - a.shared / a.total || a.id - b.id)
      .slice(0, relation.neighborLimit);
    const stored = Array.from(list.ids, (id, i) => ({ id, shared: list.shared[i]!, total: list.total[i]! }));
    // They are stored in the order of votes.
    stored.sort((a, b) => b.shared / b.total - a.shared / a.total || a.id - b.id);
    assert.deepEqual(stored, nearest, `neighbors of page ${page}`);
    reported += stored.length;
  }
  reader.close();
  return {
    caption: `akin: stored neighbors of ${sample.length} sampled pages against all pages by brute force`,
    columns: ['similarities reported', 'equal to the exact one', 'lists equal to the nearest pages'],
    rows: [[reported, reported, sample.length]],
  };
}

/** Overlaps of a page with all pages, from the stored bags alone. */
class OverlapTruth {
  readonly #bags: Bag[] = [];
  readonly #postings = new Map<number, { page: number; weight: number }[]>();

  constructor(reader: IndexReader, relationId: number) {
    for (let page = 0; page < reader.pageCount; page++) {
      const bag = reader.bag(relationId, page);
      this.#bags.push(bag);
      for (const [i, feature] of bag.features.entries()) {
        const list = this.#postings.get(feature);
        const entry = { page, weight: bag.weights[i]! };
        if (list === undefined) this.#postings.set(feature, [entry]);
        else list.push(entry);
      }
    }
  }

  neighbors(page: number): { id: number; shared: number; total: number }[] {
    const bag = this.#bags[page]!;
    const overlaps = new Uint32Array(this.#bags.length);
    for (const [i, feature] of bag.features.entries()) {
      for (const other of this.#postings.get(feature)!) {
        overlaps[other.page]! += Math.min(bag.weights[i]!, other.weight);
      }
    }
    return Array.from(overlaps.entries(), ([id, shared]) => ({
      id,
      shared,
      total: bag.sum + this.#bags[id]!.sum - shared,
    })).filter(({ id, shared }) => id !== page && shared > 0);
  }
}
