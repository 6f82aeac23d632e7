/**
 * A process of its own for one join of synthetic pages, so that its peak memory is the join's. Takes one JoinJob,
 * answers its figures.
 */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { centersOfPairs } from '../src/cluster/center.ts';
import { repeatedWords } from '../src/cluster/host-words.ts';
import { labelClusters } from '../src/cluster/label.ts';
import type { BagMatrix } from '../src/features/bag.ts';
import { divideMemory } from '../src/indexer/files/budget.ts';
import { joinCrew } from '../src/indexer/relate/crew/join-crew.ts';
import { mostPairsIn } from '../src/indexer/relate/threshold-pairs.ts';
import { EntriesInMemory } from '../src/join/bags/entry-source.ts';
import { buildPostings } from '../src/join/exact/postings.ts';
import { sortedOrder } from '../src/lib/columns/radix-sort.ts';
import { mix32 } from '../src/lib/hash.ts';
import { chooseBands } from '../src/sketch/lsh-signature.ts';
import { BagSigner, createHashFamily } from '../src/sketch/mh-signature.ts';
import { generateBags } from '../test/generated-bags.ts';
import { exactPairs, thresholdJoin } from '../test/join/in-memory.ts';
import { extractSimilarPairs } from '../test/twins/printed-pairs.ts';
import { round } from './bench.ts';

/** Pages in the middle whose pairs are all known. */
const TRUTH_PAGES = 4000;

export interface JoinJob {
  readonly way: 'join' | 'printed';
  readonly pageCount: number;
  readonly threads: number;
  readonly threshold: number;
  /** For what was found and what was compared; pairs that do not fit go to disk. Null: as much as they take. */
  readonly memoryMiB: number | null;
}

export interface JoinFigures {
  readonly us: number;
  readonly cpuUs: number;
  readonly pairs: number;
  /** Of the exact pairs of the truth's pages, how many were found; of the found ones, how many are true. */
  readonly recall: number;
  readonly precision: number;
  /** What the join says of itself; null where it says nothing. */
  readonly saidRecall: number | null;
  readonly repetitions: number | null;
  readonly peakMiB: number;
  /** Over all pairs and their similarities. */
  readonly digest: string;
  readonly sortNs: number;
  readonly centerNs: number;
  readonly clusters: number;
  readonly labelUs: number;
}

interface Found {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly shared: Uint16Array;
  /** Null: the similarity is an estimate. */
  readonly total: Uint16Array | null;
  readonly recall: number | null;
  readonly repetitions: number | null;
}

export function joinInChild(job: JoinJob): Promise<JoinFigures> {
  const child = fork(fileURLToPath(import.meta.url));
  return new Promise((resolve, reject) => {
    child.once('message', (figures) => resolve(figures as JoinFigures));
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the join of ${job.pageCount} pages ended with exit code ${code}`));
    });
    child.send(job);
  });
}

async function measure(job: JoinJob): Promise<JoinFigures> {
  const { way, pageCount, threshold } = job;
  const matrix = generateBags({ pageCount, weightSum: 100 });
  const startedMs = performance.now();
  const startedCpu = process.cpuUsage();
  const found = way === 'join' ? await joined(matrix, job) : printed(matrix, threshold);
  const us = ((performance.now() - startedMs) * 1000) / pageCount;
  const spent = process.cpuUsage(startedCpu);
  const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  return {
    us: round(us, 1),
    cpuUs: round((spent.user + spent.system) / pageCount, 1),
    pairs: found.a.length,
    saidRecall: found.recall === null ? null : round(found.recall, 4),
    repetitions: found.repetitions,
    peakMiB,
    digest: digestOf(found),
    ...againstTruth(matrix, found, threshold),
    ...clustersOf(matrix, found),
  };
}

/** In worker threads, also where it is one: a thread of its own takes as long, and is what a build uses. */
async function joined(matrix: BagMatrix, { threads, threshold, memoryMiB }: JoinJob): Promise<Found> {
  if (memoryMiB === null) return thresholdJoin(matrix, { threshold, crew: joinCrew(threads) });
  const folder = mkdtempSync(join(tmpdir(), 'akin-runs-'));
  try {
    const budget = divideMemory(memoryMiB * 2 ** 20).pairs;
    const mostPairs = mostPairsIn(budget.found, threads);
    return await thresholdJoin(matrix, {
      threshold,
      comparedBytes: budget.compared,
      crew: joinCrew(threads, { runs: { folder, mostPairs } }),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** m = 80, k = 3, l = 125, and 16 of 80 values alike. */
function printed(matrix: BagMatrix, threshold: number): Found {
  const pageCount = matrix.sums.length;
  const hashes = Uint32Array.from({ length: matrix.featureCount }, (_, feature) => mix32(feature));
  const values = new Uint32Array(pageCount * 80);
  new BagSigner(createHashFamily(80, 1), hashes).sign(matrix, 0, pageCount, values);
  const options = { leastAgreement: threshold };
  const { a, b, agreement } = extractSimilarPairs(values, chooseBands(80, 3, 125, 1), options);
  return { a, b, shared: agreement, total: null, recall: null, repetitions: null };
}

function digestOf({ a, b, shared, total }: Found): string {
  const hash = createHash('sha256');
  for (const column of [a, b, shared, total ?? shared]) hash.update(column);
  return hash.digest('hex');
}

/** Compares with all pairs of some pages; asserts that every similarity of theirs is exact where it claims to be. */
function againstTruth(matrix: BagMatrix, found: Found, threshold: number) {
  const from = (matrix.sums.length - TRUTH_PAGES) >> 1;
  const to = from + TRUTH_PAGES;
  const truth = exactPairs(matrix, buildPostings(matrix), threshold, from, to);
  const span = matrix.sums.length;
  const slotOf = new Map(Array.from(truth.a, (a, i) => [a * span + truth.b[i]!, i]));
  let claimed = 0;
  let common = 0;
  for (let i = 0; i < found.a.length; i++) {
    if (found.a[i]! < from || found.a[i]! >= to) continue;
    claimed++;
    const slot = slotOf.get(found.a[i]! * span + found.b[i]!);
    if (slot === undefined) continue;
    common++;
    if (found.total === null) continue;
    assert.deepEqual([found.shared[i], found.total[i]], [truth.shared[slot], truth.total[slot]]);
  }
  if (found.total !== null) assert.equal(common, claimed);
  return { recall: round(common / truth.a.length, 4), precision: round(common / claimed, 4) };
}

/** The steps that follow the pairs: a sort of all of them from a random order, CENTER, labels. */
function clustersOf(matrix: BagMatrix, { a, b }: Found) {
  const shuffled = Uint32Array.from(a.keys(), (i) => mix32(i));
  const order = sortedOrder(shuffled, b);
  const mixedA = order.map((i) => a[i]!);
  const mixedB = order.map((i) => b[i]!);
  const [sortMs, sorted] = timed(() => sortedOrder(mixedA, mixedB));
  for (const i of [0, a.length >> 1, a.length - 1]) assert.equal(mixedA[sorted[i]!], a[i]);
  const [centerMs, center] = timed(() => centersOfPairs(matrix.sums.length, [{ a, b }]));
  const words = Uint32Array.from({ length: matrix.featureCount }, (_, feature) => feature);
  const [labelMs, labels] = timed(() => {
    const repeated = repeatedWords(matrix, new EntriesInMemory(matrix), Uint32Array.of(0));
    return [...labelClusters(matrix, center, words, 4, repeated)];
  });
  return {
    sortNs: round((sortMs * 1e6) / a.length, 1),
    centerNs: round((centerMs * 1e6) / a.length, 1),
    clusters: labels.length,
    labelUs: round((labelMs * 1000) / matrix.sums.length, 2),
  };
}

function timed<T>(work: () => T): [ms: number, result: T] {
  const startedMs = performance.now();
  const result = work();
  return [performance.now() - startedMs, result];
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', async (job) => {
    process.send!(await measure(job as JoinJob));
    process.disconnect();
  });
}
