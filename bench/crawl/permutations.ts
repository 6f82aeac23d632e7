/**
 * Near-duplicates by the copy profile `cs276`, 80 % agreement under 200 permutations; beside those of the profile `akin`,
 * and the sketches by which the crawler compares pages.
 *
 * Truth is the resemblance of the whole shingle sets, of each page and the 32 before it of its host, as a crawl meets them.
 */
import assert from 'node:assert/strict';
import { COPY_PROFILES } from '../../src/relations/copy.ts';
import { overlapOf, resemblance, resemblanceFrom } from '../../src/sketch/resemblance.ts';
import { type SketchOptions, sketchTokens } from '../../src/sketch/shingle-sketch.ts';
import { encodeKeys } from '../../src/store/blobs/sketch-blobs.ts';
import { TokenSequence } from '../../src/text/token-sequence.ts';
import { readTokens } from '../../src/text/tokens.ts';
import { WHOLE_SKETCH } from '../../test/sketch/sketch-options.ts';
import { type Cell, round, type Table } from '../bench.ts';
import { readTsv, unpacked } from '../corpora/data.ts';
import { tarFiles } from '../corpora/tar.ts';
import { pageText } from '../quality/page-text.ts';

const NEAR = COPY_PROFILES.cs276.threshold;
const COMPARED = 32;
/** One page in so many. */
const ONE_IN = 8;
const WAYS: Readonly<Record<string, SketchOptions>> = {
  'profile cs276: 200 permutations': { shingleSize: 10, ...COPY_PROFILES.cs276 },
  'profile akin: 300 shingles or more': { shingleSize: 10, ...COPY_PROFILES.akin },
  'crawler: 200 shingles or more': { shingleSize: 10, minimum: 200 },
};

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
  assert.ok(truth.size > 100, `${truth.size} near-duplicates`);
  const pairCount = pages.reduce((sum, { length }) => sum + pairsIn(length), 0);
  const rows = Object.entries(WAYS).map(([name, options]): Cell[] => {
    const [made, compared] = [new Timer(), new Timer()];
    const sketches = made.time(() => sketchesOf(options));
    const found = compared.time(() => pairsOf(sketches, (a, b) => resemblanceFrom(a, b, NEAR) !== null));
    const right = [...found].filter((pair) => truth.has(pair)).length;
    const storedBytes = sketches.flat().reduce((sum, { keys }) => sum + encodeKeys(keys).length, 0);
    return [
      name,
      round(right / found.size),
      round(right / truth.size),
      round(storedBytes / count, 0),
      made.per(count),
      round(compared.per(pairCount / 1000), 0),
    ];
  });
  return {
    caption: `Near-duplicates among ${pairCount} pairs of ${count} pages of a crawl, ${truth.size} of them true`,
    columns: [
      'by',
      'precision',
      'recall',
      'bytes stored a page',
      'microseconds a page',
      'nanoseconds a comparison',
    ],
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
