/** Copies within a budget of memory: the same pairs, clusters and counts whatever is at hand at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyRoom, leastCopyBytes, WHOLE_ROOM } from '../../../src/join/copies/space/copy-memory.ts';
import { KeyParts } from '../../../src/join/copies/space/key-parts.ts';
import { MetLists } from '../../../src/join/copies/space/met-lists.ts';
import { Random } from '../../../src/lib/random.ts';
import { sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { inBlocks, relateTable } from './in-memory.ts';

const random = new Random(17);
const words = (count: number) => Array.from({ length: count }, () => `w${random.below(4000)}`);

/** Sites with a menu each, families of edited pages, long ones among them, some cut in half, and some pages of few words. */
const menus = Array.from({ length: 3 }, () => words(60));
const texts: string[][] = [];
const sites: number[] = [];
for (let family = 0; family < 24; family++) {
  const original = words(20 + random.below(family % 8 === 0 ? 4000 : 300));
  const menu = family % 3 === 0 ? [] : menus[family % 3]!;
  for (let copy = 0; copy < 6; copy++) {
    const edited = original.map((word) => (random.below(100) < 2 * copy ? `v${random.below(900)}` : word));
    sites.push(family % 3);
    texts.push([...menu, ...(copy === 5 ? edited.slice(0, edited.length / 2) : edited)]);
  }
}
for (let page = 0; page < 14; page++) {
  sites.push(3);
  texts.push([...menus[0]!, ...words(page < 11 ? 30 : 2)]);
}
const sentence = words(30);
for (let page = 0; page < texts.length; page += 10) texts[page]!.push(...sentence);
const languages = Uint32Array.from(texts, (_, page) => page % 3);
const facts = {
  siteOfPage: Uint32Array.from(sites),
  languageOfPage: languages,
  simhashes: (pages: Uint32Array | null) => {
    const all = Uint32Array.from({ length: 12 * texts.length }, (_, i) => (i % 24 < 12 ? 0 : 7));
    if (pages === null) return all;
    return Uint32Array.from([...pages].flatMap((page) => [...all.subarray(12 * page, 12 * page + 12)]));
  },
};
const JOINS = {
  'by shingles': { by: 'shingles', measure: 'resemblance' },
  'by containment': { by: 'shingles', measure: 'containment' },
  'by super shingles': { by: 'super-shingles', measure: 'resemblance' },
  'by permutations': { by: 'shingles', measure: 'resemblance', permutations: 60 },
} as const;

for (const [name, { by, measure, ...sketch }] of Object.entries(JOINS)) {
  test(`copies ${name} are the same in parts, ranges and batches`, () => {
    const table = tableOf(
      texts.map((text) => sketchText(text.join(' '), { shingleSize: 5, minimum: 100, ...sketch })),
    );
    const options = {
      join: { by, measure, threshold: 0.5, maxPagesPerShingle: 8, minimumSample: 10 },
      clusterings: [
        { measure: 'resemblance', threshold: 0.8 },
        { measure: 'containment', threshold: 0.7 },
      ],
      template: { share: 0.3, minimumPages: 10, minimumKeys: 8 },
      sameSiteAgreement: 360,
      sure: 0.95,
    } as const;
    const whole = relateTable(table, facts, options);
    assert.ok(whole.pairs.a.length > 25 && whole.templates.size > 0, `${whole.pairs.a.length} pairs`);
    const { translationCount, sameSiteRejectedCount, barePageCount, crowdedShingleCount } = whole.report;
    assert.ok(translationCount > 0 && sameSiteRejectedCount > 0);
    assert.ok(barePageCount > 0);
    assert.equal(crowdedShingleCount > 0, by === 'shingles');
    for (const blockPages of [3, 1000]) {
      const room = {
        isWhole: false,
        partCount: 5,
        listEntries: 40 * blockPages,
        batchKeys: 300 * blockPages,
      };
      const parts = relateTable(inBlocks(table, blockPages), facts, options, room);
      assert.deepEqual(parts, whole, `${blockPages} pages at a time`);
    }
  });
}

test('parts hold each key of each page once, equal keys together', () => {
  const table = tableOf(texts.map((text) => sketchText(text.join(' '))));
  const source = inBlocks(table, 10);
  const found = texts.map((): number[] => []);
  const partOf = new Map<number, number>();
  let part = 0;
  for (const { offsets, keys } of new KeyParts({ ...source, keyCount: 1 }, 3).tables()) {
    for (const [page, own] of found.entries()) {
      const of = keys.subarray(offsets[page], offsets[page + 1]);
      for (const key of of) assert.equal(partOf.get(key) ?? part, part);
      for (const key of of) partOf.set(key, part);
      own.push(...of);
    }
    part++;
  }
  assert.equal(part, 3);
  for (const [page, own] of found.entries()) {
    const keys = table.keys.slice(table.offsets[page], table.offsets[page + 1]);
    assert.deepEqual(Float64Array.from(own).sort(), keys);
  }
});

test('lists in a file are read as often as memory asks for, and those of one page however many they are', () => {
  const log: number[] = [];
  let readCount = 0;
  const store = {
    append: (numbers: Uint32Array) => void log.push(...numbers),
    *blocks() {
      readCount++;
      for (let at = 0; at < log.length; at += 3) yield Uint32Array.from(log.slice(at, at + 3));
    },
  };
  const lists = new MetLists(6, store, 4);
  lists.add({ pages: Uint32Array.of(0, 1, 0, 4, 5, 2, 3), starts: Uint32Array.of(0, 2, 5, 7) }, false);
  const ranges = [...lists.ranges()].map(({ from, to, pages, starts }) => [
    from,
    to,
    [...pages],
    [...starts],
  ]);
  assert.deepEqual(ranges, [
    [0, 1, [0, 1, 0, 4, 5], [0, 2, 5]],
    [1, 3, [4, 5, 2, 3].slice(2), [0, 2]],
    [3, 6, [4, 5], [0, 2]],
  ]);
  assert.equal(readCount, 3);
});

test('a room is whole where the budget says so, and its parts fit else', () => {
  const [pages, keys] = [1_000_000, 45_000_000];
  assert.equal(copyRoom(pages, keys, 2 ** 31), WHOLE_ROOM);
  const least = leastCopyBytes(pages, keys);
  for (const budgetBytes of [least, least + 2 ** 26]) {
    const { isWhole, partCount, listEntries, batchKeys } = copyRoom(pages, keys, budgetBytes);
    assert.equal(isWhole, false);
    const leftBytes = budgetBytes - 97 * pages;
    assert.ok((26 * keys) / partCount <= leftBytes && partCount <= 64, `${partCount}`);
    assert.ok(16 * listEntries + 32 * batchKeys <= leftBytes);
  }
});
