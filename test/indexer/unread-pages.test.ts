/** What a whole sweep met and could not read is not gone for that. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { additionTo } from '../../src/indexer/options/stored-options.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { warcRecord } from '../sources/archive-bytes.ts';
import { buildPages, input, noting, pageOf, temporaryFolder } from './build.ts';
import { document, gzip, prose, toJsonl, toWarc } from './pages.ts';
import { add, assertWhole } from './sweeps.ts';

const BLOG = 'http://blog.example/';
const posts = [1, 2, 3, 4, 5, 6].map((at) => {
  return { url: `${BLOG}${at}.html`, html: document(`Post ${at}`, `<p>${prose(at)}</p>`), day: at };
});

/** The pages that are gone after a whole sweep of the blog is read from a path, and the sweeps that were not taken as whole. */
async function goneAfter(t: TestContext, path: string, maxPageBytes?: number) {
  const { target } = await buildPages(t, posts);
  const from = path.endsWith('/') ? { ...input(path), baseUrl: BLOG } : input(path);
  const resources = { memoryBytes: 64 << 20, workerCount: 1, ...(maxPageBytes && { maxPageBytes }) };
  const sweep = { inputs: [from], sweepName: 'again', isWhole: true };
  const { brokenSweeps } = await buildIndex(
    additionTo({ target, ...sweep, ...resources }),
    noting().listener,
  );
  assertWhole(target);
  using reader = IndexReader.open(target);
  const gone = posts.filter(({ url }) => reader.isGone(pageOf(reader, url).id));
  const covered = reader.sweeps().at(-1)!.covered.sites;
  return { gone: gone.map(({ url }) => url.slice(BLOG.length)), brokenSweeps, covered };
}

function fileOf(t: TestContext, name: string, bytes: string | Uint8Array): string {
  const path = join(temporaryFolder(t), name);
  writeFileSync(path, bytes);
  return path;
}

const AS_WHOLE = { gone: ['6.html'], brokenSweeps: [], covered: ['blog.example'] };
const AS_PART = { gone: [], brokenSweeps: ['again'], covered: [] };

test('a page that a server did not give, or that is too large, stays; one that is missing is gone', async (t) => {
  const [first, second, third, fourth, fifth] = posts;
  const large = { ...fifth!, html: document('Large', `<p>${prose(9, 2000)}</p>`) };
  const busy = [
    { url: second!.url, status: 503 },
    { url: third!.url, status: 403 },
  ];
  const elsewhere = warcRecord('revisit', fourth!.url, '', { 'WARC-Profile': 'https://other.example/' });
  const bytes = Buffer.concat([toWarc([first!, ...busy, large]), elsewhere]);
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.warc', bytes), 4000), AS_WHOLE);
});

test('nor is the canonical URL of a page that a server did not give', async (t) => {
  const [first, second] = posts.map((post, i) => {
    const canonical = `<link rel="canonical" href="${BLOG}${i}/">`;
    return { ...post, html: document(`Post ${i}`, `<p>${prose(i)}</p>`, canonical) };
  });
  const { target } = await buildPages(t, [first!, second!]);
  await add(
    t,
    target,
    [
      { ...first!, day: 30 },
      { url: second!.url, status: 503 },
    ],
    { isWhole: true },
  );
  assertWhole(target);
  using reader = IndexReader.open(target);
  const there = [...reader.pages()].filter(({ id }) => !reader.isGone(id));
  assert.deepEqual(
    there.map(({ url }) => url),
    [`${BLOG}0/`, `${BLOG}1/`],
  );
});

test('nothing is gone for not being in a damaged archive', async (t) => {
  const records = posts.slice(0, 5).map((page) => gzip(toWarc([page])));
  const whole = Buffer.concat(records);
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.warc.gz', whole)), AS_WHOLE);
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.warc.gz', whole.subarray(0, -40))), AS_PART);
  const flipped = Buffer.from(whole);
  flipped[records[0]!.length + records[1]!.length / 2]! ^= 0xff;
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.warc.gz', flipped)), AS_PART);
});

test('nothing is gone for not being in JSON lines of which one cannot be read', async (t) => {
  const lines = toJsonl(posts.slice(0, 5));
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.jsonl', lines)), AS_WHOLE);
  assert.deepEqual(await goneAfter(t, fileOf(t, 'blog.jsonl', lines.slice(0, -20))), AS_PART);
});

test('a file of a folder that cannot be read is a page still, and no other one is', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'site'));
  for (const { url, html } of posts.slice(0, 4))
    writeFileSync(join(folder, 'site', url.slice(BLOG.length)), html);
  // Leads to itself.
  symlinkSync('5.html', join(folder, 'site', '5.html'));
  assert.deepEqual(await goneAfter(t, join(folder, 'site/')), AS_WHOLE);
});

test('nor is the page of a folder whose index.html cannot be read', async (t) => {
  const pages = ['tea', 'pots'].map((name, i) => {
    return { url: `${BLOG}${name}/`, html: document(name, `<p>${prose(i)}</p>`), day: i + 1 };
  });
  const { target } = await buildPages(t, pages);
  const folder = temporaryFolder(t);
  for (const name of ['tea', 'pots']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'tea', 'index.html'), pages[0]!.html);
  symlinkSync('index.html', join(folder, 'pots', 'index.html'));
  const inputs = [{ ...input(folder), baseUrl: BLOG }];
  const sweep = { target, inputs, sweepName: 'again', isWhole: true, memoryBytes: 64 << 20, workerCount: 1 };
  await buildIndex(additionTo(sweep), noting().listener);
  assertWhole(target);
  using reader = IndexReader.open(target);
  assert.deepEqual(
    pages.map(({ url }) => reader.isGone(pageOf(reader, url).id)),
    [false, false],
  );
});
