/** `--classes`: pages that a person has classified seed and name the topics, and half of them tell how far they agree. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { BuildReport } from '../../src/indexer/build-report.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { newFolder } from '../new-folder.ts';
import { fixtureApp } from '../service/fixture-app.ts';
import { fixturePages, GARDEN, MOVED } from '../service/fixture-index.ts';
import { akin, reportOf } from './terminal.ts';

const folder = newFolder('classes');
const index = join(folder, 'web.akin');
const source = join(folder, 'pages.jsonl');
const pages = fixturePages();
after(() => rmSync(folder, { recursive: true }));

function classOf(url: string): string | null {
  if (url.startsWith(GARDEN)) return 'Nature/Plants/Roses';
  if (url.includes('bakery')) return 'Kitchen/Bread';
  return null;
}
const table = join(folder, 'classes.tsv');
const NOWHERE = 'https://nowhere.example/';

before(async () => {
  const moved = { url: MOVED, status: 301, location: `${GARDEN}0`, html: '' };
  writeFileSync(source, [...pages, moved].map((page) => `${JSON.stringify(page)}\n`).join(''));
  const lines = pages.flatMap(({ url }) => (classOf(url) === null ? [] : [`${url}\t${classOf(url)}\n`]));
  // Of a page that has a class by its own URL too.
  const alias = `${MOVED}\tNature/Old\n`;
  writeFileSync(table, `url\tclass\n${lines.join('')}${NOWHERE}\tNature\n${alias}`);
});

function labelsOf(path: string): Map<string, string[]> {
  const reader = IndexReader.open(path);
  const labels = new Map(
    [...reader.pages()].map(({ id, url }) => [url, reader.clusters.ofPage(1, id).map(({ label }) => label)]),
  );
  reader.close();
  return labels;
}

/** Topics of all roses and of all bread are named; those without a class are not. */
function assertNamed(path: string): void {
  const labels = labelsOf(path);
  const broadest = (url: string) => labels.get(url)!.at(-1)!;
  assert.match(broadest(`${GARDEN}3`), /^Nature\/Plants\/Roses: \w/);
  assert.match(broadest('https://bakery.example/bread/2'), /^Kitchen\/Bread: \w/);
  const bicycle = [...labels.keys()].find((url) => url.includes('workshop'))!;
  assert.doesNotMatch(broadest(bicycle), /:/);
}

test('topics take the names of classes, and the report tells what held-out classes say', async () => {
  const { code, stdout, stderr } = await akin([
    'index',
    source,
    '--to',
    index,
    '--classes',
    table,
    '--workers',
    '1',
    '--json',
  ]);
  assert.equal(code, 0, stderr);
  const { classes } = reportOf<BuildReport>(stdout);
  assert.ok(classes !== null);
  assert.deepEqual([classes.pageCount, classes.classCount, classes.missing], [32, 2, [NOWHERE]]);
  assert.ok(classes.heldOutCount > 8 && classes.heldOutCount < 24, `${classes.heldOutCount}`);
  // Roses and bread share no words: topics find them without seeds.
  assert.equal(classes.levels.length, 3);
  assert.equal(classes.levels[0]!.plain.homogeneity, 1);
  assert.equal(classes.levels[0]!.seeded.homogeneity, 1);
  assertNamed(index);
  const checked = await akin(['check', index]);
  assert.equal(checked.code, 0, checked.stdout);
});

test('add keeps the classes, forget takes that of a page, and GET /index tells their number', async () => {
  const shown = async () => {
    const app = await fixtureApp(index);
    return (await app.inject('/index')).json().parameters.classes;
  };
  assert.equal(await shown(), 34);
  const later = join(folder, 'later.jsonl');
  const [gone] = pages.filter(({ url }) => url.includes('bakery'));
  const sweep = pages.map((page) => (page === gone ? { url: page.url, status: 410 } : page));
  writeFileSync(later, sweep.map((page) => `${JSON.stringify(page)}\n`).join(''));
  const added = await akin(['add', later, '--to', index, '--workers', '1']);
  assert.equal(added.code, 0, added.stderr);
  const missing = `2 URLs not among the pages: ${gone!.url}, ${NOWHERE}`;
  assert.ok(added.stdout.includes(`classes: 2 classes of 31 pages; ${missing}\n`), added.stdout);
  assert.match(added.stdout, /level 1: V-measure .*; without seeds /);
  assertNamed(index);
  assert.equal((await akin(['forget', index, `${GARDEN}3`, '--workers', '1'])).code, 0);
  assert.equal(await shown(), 33);
  // With a page goes the class that it has by an alias.
  assert.equal((await akin(['forget', index, `${GARDEN}0`, '--workers', '1'])).code, 0);
  assert.equal(await shown(), 31);
});

test('where no page has a class, there are no figures', async () => {
  const unknown = join(folder, 'unknown.tsv');
  writeFileSync(unknown, `url\tclass\n${NOWHERE}\tNature\n`);
  const { code, stdout } = await akin([
    'index',
    source,
    '--to',
    join(folder, 'unknown.akin'),
    '--classes',
    unknown,
    '--workers',
    '1',
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /classes: 0 classes of 0 pages; 1 URL not among the pages/);
  assert.doesNotMatch(stdout, /V-measure/);
});

test('a table that cannot be used is refused by its line', async () => {
  const bad = join(folder, 'bad.tsv');
  for (const [text, what] of [
    ['url\tclass\nnot a URL\tNature\n', /bad\.tsv:2: column url: "not a URL"/],
    [
      `url\tclass\nhttps://a.example/\t${'a/'.repeat(501)}b\n`,
      /bad\.tsv:2: column class: .* has 1,003 characters/,
    ],
    ['url\tclass\tlabel\nhttps://a.example/\ta\tb\n', /several columns .*\n.*the others another name/],
    ['url\tkind\nhttps://a.example/\tNature\n', /no column named label, labels, class/],
    ['url_a\turl_b\tgrade\nhttps://a.example/\thttps://b.example/\t1\n', /has judged pairs/],
  ] as const) {
    writeFileSync(bad, text);
    const { code, stderr } = await akin(['index', source, '--to', join(folder, 'x.akin'), '--classes', bad]);
    assert.notEqual(code, 0);
    assert.match(stderr, what);
  }
  const profile = ['--classes', table, '--profile', 'haveliwala2000'];
  const idle = await akin(['index', source, '--to', join(folder, 'x.akin'), ...profile]);
  assert.match(idle.stderr, /--classes .* has no effect with --profile haveliwala2000/);
});
