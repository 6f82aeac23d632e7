import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinShingles } from '../../../src/join/copies/shingle-join.ts';
import {
  DEFAULT_TEMPLATE,
  findTemplates,
  stripSketch,
  stripTemplates,
  withoutTemplates,
} from '../../../src/join/copies/template-shingles.ts';
import { Random } from '../../../src/lib/random.ts';
import { sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { sketchAt, tableOf } from '../../../src/sketch/sketch-table.ts';

const random = new Random(5);
const words = (count: number) => Array.from({ length: count }, () => `w${random.below(4000)}`).join(' ');

/** 20 pages of site 1, each a long menu and a short text of its own; the last two texts are one. */
const menu = words(200);
const texts = Array.from({ length: 20 }, () => words(60));
texts[19] = texts[18]!;
const site1 = texts.map((text) => `${menu} ${text}`);
const site2 = [site1[0]!, words(300)];
const table = tableOf([...site1, ...site2].map((text) => sketchText(text)));
const sites = Uint32Array.from([...site1.map(() => 1), ...site2.map(() => 2)]);

test('pages of one site are copies for their text, not for their menu', () => {
  assert.equal(joinShingles(table).pairs.a.length, (20 * 19) / 2 + 20);
  const { table: stripped, report } = withoutTemplates(table, sites);
  const { pairs } = joinShingles(stripped);
  assert.deepEqual([...pairs.a], [18]);
  assert.deepEqual([...pairs.b], [19]);
  assert.equal(report.templateShingleCount, 191);
  assert.equal(report.removedEntryCount, 191 * 20);
  assert.equal(report.strippedPageCount, 20);
  assert.equal(report.sparedPageCount, 0);
});

test('what is template on one site is text on another', () => {
  const { table: stripped } = withoutTemplates(table, sites);
  const last = table.pageCount - 2;
  assert.equal(
    stripped.offsets[last + 1]! - stripped.offsets[last]!,
    table.offsets[last + 1]! - table.offsets[last]!,
  );
});

test('a page that is nothing but template keeps it', () => {
  const bare = tableOf([...site1, menu, menu].map((text) => sketchText(text)));
  const { table: stripped, report } = withoutTemplates(bare, new Uint32Array(22));
  assert.equal(report.sparedPageCount, 2);
  const { pairs } = joinShingles(stripped);
  assert.deepEqual(
    Array.from(pairs.a, (a, i) => `${a} ${pairs.b[i]}`),
    ['18 19', '20 21'],
  );
});

test('a site of few pages has no template', () => {
  const few = tableOf(site1.slice(0, 9).map((text) => sketchText(text)));
  const { table: stripped, report } = withoutTemplates(few, new Uint32Array(9));
  assert.equal(report.removedEntryCount, 0);
  assert.deepEqual(stripped, few);
});

test('parts leave no trace in the templates', () => {
  const expected = findTemplates(table, sites);
  assert.deepEqual([...expected.keys()], [1]);
  for (const partCount of [2, 7])
    assert.deepEqual(findTemplates(table, sites, DEFAULT_TEMPLATE, partCount), expected);
});

test('a sketch is stripped by itself as in its table, in place or not', () => {
  const templates = findTemplates(table, sites);
  const { table: stripped } = withoutTemplates(table, sites);
  for (let page = 0; page < table.pageCount; page++) {
    const own = stripSketch(sketchAt(table, page), templates.get(sites[page]!) ?? new Float64Array(0));
    assert.deepEqual(own, sketchAt(stripped, page));
  }
  const keys = table.keys.slice();
  const inPlace = stripTemplates({ ...table, keys }, sites, templates, DEFAULT_TEMPLATE.minimumKeys, keys);
  assert.deepEqual(inPlace.table, stripped);
});
