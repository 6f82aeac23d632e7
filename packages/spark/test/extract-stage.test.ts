/** Marks and selectors mean the same to a job as to a local build. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ByteReader } from '../../../src/indexer/files/records/bytes.ts';
import { counts, skipText, skipToFeatures } from '../../../src/indexer/gather/records/page-record.ts';
import { key53 } from '../../../src/lib/keys/key-table.ts';
import { type DEFAULTS, temporaryFolder } from '../../../test/indexer/build.ts';
import { extractStage } from '../src/pages/extract.ts';
import { runRows } from './run-rows.ts';

const PAGES = [
  `<nav>menu</nav><main data-akin-body>apple <b data-akin-weight=3>plum</b> <p data-akin-ignore>noise</p></main>`,
  `<nav>menu</nav><main data-pagefind-body>pear <p data-pagefind-ignore>noise</p></main>`,
  `<nav>menu</nav><main>fig <p class=toc>noise</p></main>`,
];

const MARKED = PAGES.map((html, i) => ({ url: `https://marks.example/${i}`, html }));

async function extracted(t: TestContext, options: Partial<typeof DEFAULTS>, records: object[] = MARKED) {
  const path = join(temporaryFolder(t), 'pages.jsonl');
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  return runRows(extractStage, [{ file: 0, path, sweep: 1 }], {}, options);
}

/** How often each of these words counts on each page, by the records that the stage makes. */
async function countsOf(t: TestContext, options: Partial<typeof DEFAULTS>) {
  const rows = await extracted(t, options);
  const names = new Map(
    ['apple', 'plum', 'pear', 'fig', 'noise', 'menu'].map((word) => [key53(stemOf(rows, word)), word]),
  );
  return rows.flatMap(({ kind, record }) => {
    if (kind !== 'page') return [];
    const from = new ByteReader(record!);
    skipToFeatures(from);
    skipText(from);
    const { keys, tfs } = counts.read(from);
    return [Object.fromEntries(Array.from(keys, (key, i) => [names.get(key), tfs[i]]))];
  });
}

const stemOf = (rows: readonly { form: string | null; stem: string | null }[], word: string) =>
  rows.find(({ form }) => form === word)?.stem ?? word;

test('a job reads what marks let count, and weights', async (t) => {
  assert.deepEqual(await countsOf(t, {}), [
    { apple: 1, plum: 3 },
    { pear: 1 },
    { menu: 1, fig: 1, noise: 1 },
  ]);
});

test('a job reads what selectors let count', async (t) => {
  const [, , unmarked] = await countsOf(t, { body: 'main', ignore: '.toc' });
  assert.deepEqual(unmarked, { fig: 1 });
});

test('a job knows which marks a page has', async (t) => {
  const marksOf = async (options: Partial<typeof DEFAULTS>) => {
    const rows = await extracted(t, options);
    const marked = rows.map(({ kind, has_body, has_ignored, has_weights }) =>
      [kind, has_body, has_ignored, has_weights].join(' '),
    );
    return marked.filter((row) => row.startsWith('page'));
  };
  assert.deepEqual(await marksOf({}), [
    'page true true true',
    'page true true false',
    'page false false false',
  ]);
  const [, , unmarked] = await marksOf({ body: 'main', ignore: '.toc' });
  assert.equal(unmarked, 'page true true false');
});

test('a job says what it leaves out of a page, as a local build does', async (t) => {
  const long = 'x'.repeat(3_000);
  const rows = await extracted(t, {}, [
    { url: 'https://shop.example/kept', html: '<p>tea', published_at: '2026-01-31', links: ['/a', '#b'] },
    {
      url: 'https://shop.example/cup',
      html: `<p>cup <a href="/${long}">`,
      published_at: 'yesterday',
      links: [`/${long}`, `data:,${long}`],
      features: { 'no name': {} },
      fields: { 'no name': 1 },
      file_url: 'https://shop.example/cup.html',
      colour: 'blue',
    },
  ]);
  const leftOut = rows.filter(({ kind }) => !['page', 'link', 'form', 'file'].includes(kind));
  assert.deepEqual(
    leftOut.map(({ kind, url }) => `${kind} ${url}`).sort(),
    ['dates', 'features', 'fields', 'file_url', 'member'].map((kind) => `${kind} https://shop.example/cup`),
  );
  const reasonOf = new Map(leftOut.map(({ kind, reason }) => [kind, reason]));
  assert.match(reasonOf.get('dates')!, /yesterday/);
  assert.equal(reasonOf.get('file_url'), 'https://shop.example/cup.html');
  assert.equal(reasonOf.get('member'), 'colour');
  const pages = rows.filter(({ kind }) => kind === 'page');
  assert.deepEqual(
    pages.map((row) => row.dropped_links ?? 0),
    [0, 2],
  );
});
