import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_SHINGLE_JOIN } from '../../../src/join/copies/sketch-comparison.ts';
import {
  DEFAULT_TEMPLATE,
  findTemplates,
  markedAt,
  markSketch,
  markTemplates,
  sharedTemplate,
} from '../../../src/join/copies/template-shingles.ts';
import { Random } from '../../../src/lib/random.ts';
import { sketchText } from '../../../src/sketch/shingle-sketch.ts';
import { sketchAt, tableOf } from '../../../src/sketch/sketch-table.ts';
import { joinShingles, relateTable, templatePairsOf } from './in-memory.ts';

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

const OPTIONS = {
  join: DEFAULT_SHINGLE_JOIN,
  clusterings: [{ measure: 'resemblance', threshold: 0.5 }],
  template: DEFAULT_TEMPLATE,
  sameSiteAgreement: 0,
  sure: 1,
} as const;
const pairsOf = ({ pairs }: ReturnType<typeof relateTable>) =>
  Array.from(pairs.a, (a, i) => `${a} ${pairs.b[i]}`);

test('pages of one site are copies for their text, not for their menu, and their figure is that of both', () => {
  assert.equal(joinShingles(table).pairs.a.length, (20 * 19) / 2 + 20);
  const found = relateTable(table, { siteOfPage: sites }, OPTIONS);
  assert.deepEqual(pairsOf(found), ['0 20', '18 19']);
  const { pairs, report } = found;
  for (const [i, { keys }] of [sketchAt(table, 0), sketchAt(table, 18)].entries()) {
    assert.deepEqual([pairs.shared[i], pairs.ofA[i], pairs.ofB[i]], Array(3).fill(keys.length));
  }
  // The mirror on the other site has no template there; of pages of one site the menu is counted beside.
  assert.deepEqual([...pairs.template], [0, 191]);
  assert.equal(report.templateShingleCount, 191);
  assert.equal(report.templateEntryCount, 191 * 20);
  assert.deepEqual([report.templatePageCount, report.barePageCount], [20, 0]);
  // All pairs of the site but that of one text: none of them met.
  assert.deepEqual([report.templatePairCount, report.templatePairError], [189, 0]);
  assert.equal(report.templateRejectedCount, 0);
});

test('pairs that only a template makes alike are counted, or estimated from a sample', () => {
  const templates = findTemplates(table, sites);
  const english = sites.map((_, page) => (page < 10 ? 1 : 2));
  const facts = { siteOfPage: sites, languageOfPage: english };
  const counted = templatePairsOf(table, templates, facts, DEFAULT_SHINGLE_JOIN);
  // Without those in two languages.
  assert.deepEqual(counted, { templatePairCount: 189 - 100, templatePairError: 0 });
  const { templatePairCount: estimate, templatePairError: error } = templatePairsOf(
    table,
    templates,
    facts,
    DEFAULT_SHINGLE_JOIN,
    100,
  );
  assert.ok(error > 5 && error < 15, `${error}`);
  assert.ok(Math.abs(estimate - 89) < 3 * error, `${estimate}`);
});

test('an estimate is none without an error, where all that are drawn agree, too', () => {
  // 189 of the 190 pairs are alike by the menu alone.
  const drawn = templatePairsOf(
    table,
    findTemplates(table, sites),
    { siteOfPage: sites },
    DEFAULT_SHINGLE_JOIN,
    10,
  );
  assert.equal(drawn.templatePairCount, 190);
  assert.ok(drawn.templatePairError >= 1, `${drawn.templatePairError}`);
});

test('an estimate ends with the sample that makes it good enough', () => {
  // Of 250 pages half have the menu and no text but one of 30 words: 7,750 of 31,125 pairs are alike by the menu alone.
  const own = Array.from({ length: 250 }, (_, i) => words(i % 2 === 0 ? 30 : 260));
  const many = tableOf(own.map((text, i) => sketchText(i % 2 === 0 ? `${menu} ${text}` : `${text} ${menu}`)));
  const siteOfPage = new Uint32Array(250);
  const templates = findTemplates(many, siteOfPage);
  const count = (mostCompared: number) =>
    templatePairsOf(many, templates, { siteOfPage }, DEFAULT_SHINGLE_JOIN, mostCompared);
  const { templatePairCount: truth } = count(2 ** 17);
  const { templatePairCount: estimate, templatePairError: error } = count(31_000);
  assert.equal(truth, (125 * 124) / 2);
  assert.ok(error > 0.01 * truth && error <= 0.021 * truth, `${error} of ${truth}`);
  assert.ok(Math.abs(estimate - truth) < 3 * error, `${estimate}`);
});

test('what is template on one site is text on another', () => {
  const marks = markTemplates(table, sites, findTemplates(table, sites));
  assert.deepEqual([marks.counts[0], marks.counts[20]], [191, 0]);
  assert.equal(sharedTemplate(markedAt(table, marks, 0), markedAt(table, marks, 1)), 191);
  assert.equal(sharedTemplate(markedAt(table, marks, 0), markedAt(table, marks, 20)), 0);
});

test('pages that are hardly more than their template are copies of each other, and of no other page', () => {
  const nearly = `${menu} ${words(12)}`;
  const bare = tableOf([...site1, menu, nearly].map((text) => sketchText(text)));
  const found = relateTable(bare, { siteOfPage: new Uint32Array(22) }, OPTIONS);
  assert.equal(found.report.barePageCount, 2);
  assert.deepEqual(pairsOf(found), ['18 19', '20 21']);
});

test('a site of few pages has no template', () => {
  const few = tableOf(site1.slice(0, 9).map((text) => sketchText(text)));
  assert.equal(findTemplates(few, new Uint32Array(9)).size, 0);
});

test('the templates are those of keys counted by site, straight from the definition', () => {
  const { share, minimumPages } = DEFAULT_TEMPLATE;
  const expected = new Map<number, number[]>();
  for (const site of new Set(sites)) {
    const pages = Array.from(sites.keys()).filter((page) => sites[page] === site);
    const keysOf = (page: number) => [...table.keys.subarray(table.offsets[page], table.offsets[page + 1])];
    const template = [...new Set(pages.flatMap(keysOf))].filter((key) => {
      const having = pages.filter((page) => keysOf(page).includes(key)).length;
      const reaching = pages.filter((page) => table.limits[page]! > key).length;
      return having >= minimumPages && having > share * reaching;
    });
    if (template.length > 0)
      expected.set(
        site,
        template.sort((a, b) => a - b),
      );
  }
  const found = [...findTemplates(table, sites)].map(([site, keys]) => [site, [...keys]]);
  assert.deepEqual(found, [...expected]);
  assert.deepEqual([...expected.keys()], [1]);
});

test('what a site has counts for no other one', () => {
  // Six pages of each site have the menu.
  const texts = Array.from({ length: 24 }, (_, page) => `${page < 6 || page > 17 ? menu : ''} ${words(60)}`);
  const halves = tableOf(texts.map((text) => sketchText(text)));
  const halfSites = Uint32Array.from({ length: 24 }, (_, page) => Math.floor(page / 12));
  assert.equal(findTemplates(halves, halfSites).size, 0);
  assert.equal(findTemplates(halves, new Uint32Array(24)).size, 1);
});

test('a sketch is marked by itself as in its table', () => {
  const templates = findTemplates(table, sites);
  const marks = markTemplates(table, sites, templates);
  for (let page = 0; page < table.pageCount; page++) {
    const own = markSketch(sketchAt(table, page), templates.get(sites[page]!) ?? new Float64Array(0));
    assert.deepEqual(own, markedAt(table, marks, page));
  }
});
