import assert from 'node:assert/strict';
import type { SharedPairs } from '../../src/join/copies/shingle-join.ts';
import { DEFAULT_SHINGLE_JOIN } from '../../src/join/copies/sketch-comparison.ts';
import { componentsOf, UnionFind } from '../../src/lib/union-find.ts';
import { equalityFingerprints } from '../../src/sketch/fingerprint.ts';
import {
  DEFAULT_SKETCH,
  type ShingleSketch,
  type SketchOptions,
  sketchTokens,
} from '../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../src/sketch/sketch-table.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { joinShingles } from '../../test/join/copies/in-memory.ts';
import { WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { round, type Table } from '../bench.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';
import { foldEqual, unfold } from './fold-equal.ts';
import { pageText } from './page-text.ts';
import { clusterPairs } from './pair-counts.ts';

/** What the labels say of themselves: exact Jaccard from here on, of the first words, shorter pages left out. */
const THRESHOLD = 0.9;
const MOST_WORDS = 20_000;
const LEAST_WORDS = 25;

const SKETCHES: Record<string, SketchOptions> = {
  all: { ...WHOLE_SKETCH, shingleSize: 5 },
  '400 keys': { ...DEFAULT_SKETCH, shingleSize: 5 },
};

/**
 * The text that the labels were made of, as near as can be known: markup out, entities left as they stand, words of
 * letters and digits in lower case. Their own count of the words of a page is met in three of four pages (by words of
 * two letters and more), and within 2 % in nineteen of twenty.
 */
function labelText(html: string): string {
  const text = html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/<[^>]+>/g, ' ');
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).slice(0, MOST_WORDS).join(' ');
}

interface Sketched {
  readonly sketches: ShingleSketch[];
  readonly fingerprints: string[];
}

interface Found {
  readonly pairs: SharedPairs;
  readonly representatives: Uint32Array;
  readonly roots: Uint32Array;
}

/** The labels held against what they say of themselves, and the join against both. */
export async function labelTable(): Promise<Table> {
  const rows = readTsv('uci-crawl/pages.tsv.zst', ['path', 'url', 'words']);
  const pageOfPath = new Map(rows.map((row, page) => [row.path, page]));
  const pageOfUrl = new Map(rows.map((row, page) => [row.url, page] as const).reverse());
  const isLong = rows.map((row) => Number(row.words) >= LEAST_WORDS);
  const made = new Map<string, Sketched>();
  const sequence = new TokenSequence();
  for await (const { path, body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
    const page = pageOfPath.get(path);
    if (page === undefined) continue;
    const html = body.toString();
    const texts = { "the labels'": labelText(html), 'as indexed': pageText(html, rows[page]!.url) };
    for (const [name, text] of Object.entries(texts)) {
      const tokens = readTokens(text, sequence);
      for (const [size, options] of Object.entries(SKETCHES)) {
        const key = `${name}, ${size}`;
        if (!made.has(key)) made.set(key, { sketches: [], fingerprints: [] });
        const sketched = sketchTokens(tokens, options);
        const { shingles } = equalityFingerprints(text, tokens, sketched);
        made.get(key)!.sketches[page] = sketched.sketch;
        made.get(key)!.fingerprints[page] = sketched.sketch.shingleCount === 0 ? '' : shingles;
      }
    }
  }
  const labels = new Map<number, string>();
  for (const row of readTsv('uci-crawl/near_dup_clusters.tsv', ['cluster', 'url'])) {
    const page = pageOfUrl.get(row.url);
    if (page !== undefined) labels.set(page, row.cluster);
  }
  const pages = [...pageOfUrl.values()].filter((page) => isLong[page]);
  const exact = find(made.get("the labels', all")!);
  const parted = partedPairs(exact, labels, isLong);
  const theirs = pages.map((page) => labels.get(page));
  const closed = closedLabels(rows.length, labels, exact, isLong);
  const closedOf = pages.map((page) => `${closed.find(page)}`);
  const table = [...made].map(([name, sketched]) => {
    const { roots } = name === "the labels', all" ? exact : find(sketched);
    const ours = pages.map((page) => `${roots[page]}`);
    const [asGiven, asClosed] = [theirs, closedOf].map((all) => {
      const both = ours.map((cluster, i) => (all[i] === undefined ? undefined : `${cluster} ${all[i]}`));
      const common = clusterPairs(both);
      return [round(common / clusterPairs(ours), 4), round(common / clusterPairs(all), 4)];
    });
    return [name, ...asGiven!, ...asClosed!];
  });
  const [greatest] = parted;
  assert.ok(greatest !== undefined && table.every(([, , recall]) => Number(recall) > 0.98));
  return {
    caption:
      `uci-crawl at .9, w = 5, chained: the labels part ${parted.length} pairs of distinct texts whose exact Jaccard ` +
      `on their own text is .9 or more (the greatest ${round(greatest, 3)}); closed: what such pairs join is one cluster`,
    columns: ['text, shingles', 'precision', 'recall', 'precision, labels closed', 'recall, labels closed'],
    rows: table,
  };
}

function find({ sketches, fingerprints }: Sketched): Found {
  const folded = foldEqual(fingerprints);
  const { representatives } = folded;
  const table = tableOf(Array.from(representatives, (page) => sketches[page]!));
  const { pairs } = joinShingles(table, { ...DEFAULT_SHINGLE_JOIN, threshold: THRESHOLD });
  const roots = unfold(folded, componentsOf(table.pageCount, pairs.a, pairs.b));
  return { pairs, representatives, roots };
}

/** Resemblances of the pairs whose pages are both labelled, and differently; the greatest first. */
function partedPairs(
  { pairs, representatives }: Found,
  labels: ReadonlyMap<number, string>,
  isLong: readonly boolean[],
): number[] {
  const found: number[] = [];
  for (const [i, a] of pairs.a.entries()) {
    const [left, right] = [representatives[a]!, representatives[pairs.b[i]!]!];
    const [one, other] = [labels.get(left), labels.get(right)];
    if (!isLong[left] || !isLong[right] || one === undefined || other === undefined || one === other)
      continue;
    found.push(pairs.shared[i]! / (pairs.ofA[i]! + pairs.ofB[i]! - pairs.shared[i]!));
  }
  return found.sort((a, b) => b - a);
}

/** The labels, and all that their own rule joins besides. */
function closedLabels(
  pageCount: number,
  labels: ReadonlyMap<number, string>,
  exact: Found,
  isLong: readonly boolean[],
): UnionFind {
  const closed = new UnionFind(pageCount);
  const firstOfLabel = new Map<string, number>();
  for (const [page, label] of labels) {
    const first = firstOfLabel.get(label);
    if (first === undefined) firstOfLabel.set(label, page);
    else closed.union(first, page);
  }
  for (const [page, root] of exact.roots.entries())
    if (isLong[page] && isLong[root]) closed.union(root, page);
  return closed;
}
