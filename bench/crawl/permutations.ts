/**
 * Near-duplicates as the lectures have them (Manning, Raghavan, Schuetze, section 19.6): of 64-bit fingerprints of
 * shingles the least under each of 200 permutations, near-duplicates from 80 % agreement; beside the shingle sketches
 * that the crawler compares pages by.
 *
 * Truth is the resemblance of the whole shingle sets, of each page and the 32 before it of its host, as a crawl meets them.
 */
import assert from 'node:assert/strict';
import { mix32 } from '../../src/lib/hash.ts';
import { overlapOf, resemblance, resemblanceFrom } from '../../src/sketch/resemblance.ts';
import { type ShingleSketch, type SketchOptions, sketchTokens } from '../../src/sketch/shingle-sketch.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { type Cell, round, type Table } from '../bench.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';
import { pageText } from '../quality/page-text.ts';

const PERMUTATIONS = 200;
const NEAR = 0.8;
const COMPARED = 32;
/** One page in so many. */
const ONE_IN = 8;
const SKETCH = { shingleSize: 10, minimum: 200, maximum: 400 };

/** Least value under each permutation: the upper and the lower half. */
interface Minima {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** Two Feistel rounds are a permutation of the 64-bit numbers. */
function minimaOf({ keys }: ShingleSketch): Minima {
  const high = new Uint32Array(PERMUTATIONS).fill(0xffffffff);
  const low = new Uint32Array(PERMUTATIONS).fill(0xffffffff);
  for (const key of keys) {
    const upper = Math.floor(key / 2 ** 32);
    const lower = key >>> 0;
    for (let i = 0; i < PERMUTATIONS; i++) {
      const h = (upper ^ mix32(lower + Math.imul(i, 0x9e3779b1))) >>> 0;
      if (h > high[i]!) continue;
      const l = (lower ^ mix32(h + i)) >>> 0;
      if (h < high[i]! || l < low[i]!) {
        high[i] = h;
        low[i] = l;
      }
    }
  }
  return { high, low };
}

function agreement(a: Minima, b: Minima): number {
  let equal = 0;
  for (let i = 0; i < PERMUTATIONS; i++) equal += a.high[i] === b.high[i] && a.low[i] === b.low[i] ? 1 : 0;
  return equal / PERMUTATIONS;
}

/** Processor time of one kind of work, in microseconds. */
class Timer {
  #us = 0;

  time<Result>(work: () => Result): Result {
    const before = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(before);
    this.#us += user + system;
    return result;
  }

  per(count: number): number {
    return round(this.#us / count, 1);
  }
}

export async function permutationsTable(): Promise<Table> {
  const hosts = new Map(
    readTsv('uci-crawl/pages.tsv.zst', ['path', 'host']).map(({ path, host }) => [path, host]),
  );
  const texts = new Map<string, string[]>();
  let met = 0;
  for await (const { path, body } of tarFiles(unpacked('uci-crawl/html.tar.zst'))) {
    if (met++ % ONE_IN !== 0) continue;
    const host = hosts.get(path) ?? '';
    texts.set(host, [...(texts.get(host) ?? []), pageText(body.toString(), 'http://a.example/')]);
  }
  const tokens = new TokenSequence();
  const sketchesOf = (options: SketchOptions) =>
    [...texts.values()].map((ofHost) =>
      ofHost
        .map((text) => sketchTokens(readTokens(text, tokens), options).sketch)
        .filter(({ shingleCount }) => shingleCount > 0),
    );
  const pages = sketchesOf(WHOLE_SKETCH);
  const count = pages.reduce((sum, { length }) => sum + length, 0);
  const truth = pairsOf(pages, (a, b) => resemblance(overlapOf(a, b)).value >= NEAR);
  const [made, compared] = [
    [new Timer(), new Timer()],
    [new Timer(), new Timer()],
  ] as const;
  const minima = made[0]!.time(() => sketchesOf(WHOLE_SKETCH).map((ofHost) => ofHost.map(minimaOf)));
  const sketches = made[1]!.time(() => sketchesOf(SKETCH));
  const found = [
    compared[0]!.time(() => pairsOf(minima, (a, b) => agreement(a, b) >= NEAR)),
    compared[1]!.time(() => pairsOf(sketches, (a, b) => resemblanceFrom(a, b, NEAR) !== null)),
  ];
  assert.ok(truth.size > 100, `${truth.size} near-duplicates`);
  const pairCount = pages.reduce((sum, { length }) => sum + pairsIn(length), 0);
  const sketchBytes = sketches.flat().reduce((sum, { keys }) => sum + keys.byteLength, 0) / count;
  const rows = ['200 permutations, 80 % agreement', 'shingle sketches, resemblance .8'].map(
    (name, i): Cell[] => {
      const right = [...found[i]!].filter((pair) => truth.has(pair)).length;
      const bytes = i === 0 ? PERMUTATIONS * 8 : round(sketchBytes, 0);
      return [
        name,
        round(right / found[i]!.size),
        round(right / truth.size),
        bytes,
        made[i]!.per(count),
        round(compared[i]!.per(pairCount / 1000), 0),
      ];
    },
  );
  return {
    caption: `Near-duplicates among ${pairCount} pairs of ${count} pages of a crawl, ${truth.size} of them true`,
    columns: ['by', 'precision', 'recall', 'bytes a page', 'microseconds a page', 'nanoseconds a comparison'],
    rows,
  };
}

function pairsIn(length: number): number {
  let pairs = 0;
  for (let i = 0; i < length; i++) pairs += Math.min(i, COMPARED);
  return pairs;
}

/** Names of the pairs that hold, of each page and the ones before it. */
function pairsOf<Page>(
  groups: readonly (readonly Page[])[],
  holds: (a: Page, b: Page) => boolean,
): Set<string> {
  const pairs = new Set<string>();
  for (const [group, pages] of groups.entries()) {
    for (let i = 0; i < pages.length; i++) {
      for (let j = Math.max(0, i - COMPARED); j < i; j++) {
        if (holds(pages[i]!, pages[j]!)) pairs.add(`${group} ${i} ${j}`);
      }
    }
  }
  return pairs;
}
