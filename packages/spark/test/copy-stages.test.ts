import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusteringsOf, copyParameters } from '../../../src/indexer/options/copy-parameters.ts';
import { Random } from '../../../src/lib/random.ts';
import { relationOptionsOf } from '../../../src/relations/copy.ts';
import { type ShingleSketch, sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { tableOf } from '../../../src/sketch/sketch-table.ts';
import { bytesOf } from '../../../src/store/blobs/blobs.ts';
import { DEFAULTS } from '../../../test/indexer/build.ts';
import { relateTable } from '../../../test/join/copies/in-memory.ts';
import { longTest } from '../../../test/long-test.ts';
import { markStage } from '../src/copies/mark.ts';
import { meetStage } from '../src/copies/meet.ts';
import { resembleStage } from '../src/copies/resemble.ts';
import { shinglesStage } from '../src/copies/shingles.ts';
import { runRows } from './run-rows.ts';

const OPTIONS = { copyClusterings: ['0.5', '0.9', '0.8c'] };
const HOSTS = ['a.example', 'b.example', 'c.example'];
const LANGUAGES = ['', 'en', 'de'];

/** Texts in families of copies with more and more words changed; those of one host share a frame. */
function texts(seed: number): { host: number; lang: number; text: string }[] {
  const random = new Random(seed);
  const words = (count: number, range: number) =>
    Array.from({ length: count }, () => `w${random.below(range)}`);
  const frames = HOSTS.map(() => words(60, 1e6));
  return Array.from({ length: 40 }, () => words(30 + random.below(700), 1e6)).flatMap((original) =>
    Array.from({ length: 1 + random.below(5) }, (_, copy) => {
      const host = random.below(HOSTS.length);
      const own = original
        .slice(0, random.below(5) === 0 ? original.length / 3 : original.length)
        .map((word) => (random.below(1000) < 15 * copy ? `v${random.below(1e6)}` : word));
      const text = [...(host === 2 ? [] : frames[host]!), ...own].join(' ');
      return { host, lang: random.below(8) === 0 ? random.below(3) : 1, text };
    }),
  );
}

const byNumbers = (x: readonly number[], y: readonly number[]) =>
  x.reduce((order, value, i) => order || value - y[i]!, 0);

/** The stages one after the other, sorted and joined as a job does it. */
async function pairsByStages(
  sketches: readonly ShingleSketch[],
  pages: readonly { host: number; lang: number }[],
  templates: ReadonlyMap<number, Float64Array>,
) {
  const hosts = HOSTS.flatMap((host, number) => {
    const keys = templates.get(number);
    const head = { host, page_id: -1, keys: null, limit: 0, shingle_count: 0 };
    return [
      ...(keys === undefined ? [] : [{ ...head, template: keys.join(' ') }]),
      ...sketches.flatMap(({ keys: own, limit, shingleCount }, page) =>
        pages[page]!.host === number
          ? [{ host, page_id: page, keys: bytesOf(own), limit, shingle_count: shingleCount, template: null }]
          : [],
      ),
    ];
  });
  const marks = (await runRows(markStage, hosts)).sort((x, y) => x.page_id - y.page_id);
  const keys = marks.map((mark) => ({ ...mark, keys: bytesOf(sketches[mark.page_id]!.keys) }));
  const entries = await runRows(shinglesStage, keys);
  const sorted = [...entries].sort((x, y) => x.key - y.key || x.page_id - y.page_id);
  const met = await runRows(meetStage, sorted);
  const crowded = new Map(met.filter(({ b }) => b < 0).map(({ a, count }) => [a, count]));
  const rowOf = (a: number, b: number, count: number) => {
    const { keys: own, limit, shingleCount } = sketches[b]!;
    const { template_marks, template_count, is_bare, silent, listed_limit } = marks[b]!;
    return {
      ...{
        a,
        b,
        count,
        host: HOSTS[pages[b]!.host]!,
        lang: LANGUAGES[pages[b]!.lang]!,
        keys: bytesOf(own),
        limit,
      },
      ...{
        shingle_count: shingleCount,
        template_marks,
        template_count,
        is_bare,
        listed_limit,
        simhash: null,
      },
      ...{ silent_count: silent === null ? 0 : template_count, crowded_count: crowded.get(b) ?? 0 },
    };
  };
  const pairs = met.filter(({ b }) => b >= 0);
  const groups = Map.groupBy(pairs, ({ a }) => a);
  const rows = Array.from(groups, ([a, group]) => [
    rowOf(a, a, 0),
    ...group.map(({ b, count }) => rowOf(a, b, count)),
  ]).flat();
  const compared = await runRows(resembleStage, rows, {}, OPTIONS);
  return { met, compared };
}

test('the stages find the copies that the local build finds, and refuse what it refuses', async () => {
  const pages = texts(6);
  const sketches = pages.map(({ text }) => sketchText(text));
  const options = { ...DEFAULTS, ...OPTIONS };
  const local = relateTable(
    tableOf(sketches),
    {
      siteOfPage: Uint32Array.from(pages, ({ host }) => host),
      languageOfPage: Uint32Array.from(pages, ({ lang }) => lang),
    },
    relationOptionsOf(copyParameters(options), clusteringsOf(options)),
  );
  assert.ok(local.templates.size > 0 && local.report.translationCount > 0);
  const { met, compared } = await pairsByStages(sketches, pages, local.templates);
  const found = compared.filter(({ verdict }) => verdict === 'kept');
  const { a, b, shared, ofA, ofB, template } = local.pairs;
  assert.deepEqual(
    found.map((row) => [row.a, row.b, row.shared, row.of_a, row.of_b, row.template]).sort(byNumbers),
    Array.from(a, (page, i) => [page, b[i]!, shared[i]!, ofA[i]!, ofB[i]!, template[i]!]),
  );
  const count = (verdict: string) => compared.filter((row) => row.verdict === verdict).length;
  assert.equal(count('translation'), local.report.translationCount);
  assert.equal(count('template'), local.report.templateRejectedCount);
  assert.equal(met.filter(({ b: other }) => other >= 0).length, local.report.candidateCount);
  assert.equal(compared.find(({ verdict }) => verdict === 'compared')!.shared, local.report.comparedCount);
  // The third clustering joins by containment: no page that is joined there by the second is missing.
  assert.ok(found.some(({ levels }) => levels === 0b101));
  assert.ok(found.every(({ levels }) => (levels & 0b010) === 0 || (levels & 0b101) === 0b101));
});

longTest('a shingle of more pages than may meet brings together those that stand near', async () => {
  const random = new Random(9);
  const crowds = Array.from({ length: 1100 }, () => random.below(500));
  const rows = crowds.map((crowd, page) => ({ key: 5, page_id: page, is_listed: page === 3, crowd }));
  const met = await runRows(meetStage, [...rows, { key: 6, page_id: 1, is_listed: false, crowd: 0 }]);
  const order = [...crowds.keys()].sort((x, y) => crowds[x]! - crowds[y]! || x - y);
  const expected = new Map<string, number>();
  for (let start = 0; start === 0 || start + 128 < order.length; start += 128) {
    const run = order.slice(start, start + 256).sort((x, y) => x - y);
    for (const [i, a] of run.entries()) {
      for (const b of run.slice(i + 1)) expected.set(`${a} ${b}`, (expected.get(`${a} ${b}`) ?? 0) + 1);
    }
  }
  const pairs = met.filter(({ b }) => b >= 0);
  assert.equal(pairs.length, expected.size);
  assert.ok(pairs.every(({ a, b, count }) => expected.get(`${a} ${b}`) === count));
  const crowded = met.filter(({ a, b }) => a >= 0 && b < 0);
  // The last one met those of its run alone, which begins at 896.
  const last = order.at(-1);
  const others = [...expected.keys()].filter((pair) => pair.split(' ').includes(String(last))).length;
  assert.equal(others, 1100 - 896 - 1);
  assert.deepEqual([crowded.length, crowded[0]!.count, crowded[0]!.unmet], [1100, 1, 896]);
  assert.equal(met.find(({ a }) => a < 0)!.count, 1);
});

test('a key that finds no page brings no pages together', async () => {
  const rows = [1, 2, 3].map((page_id) => ({ key: 7, page_id, is_listed: false, crowd: 0 }));
  assert.deepEqual(await runRows(meetStage, rows), []);
});
