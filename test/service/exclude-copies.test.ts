/** A corpus whose copies are known by how it was made: what `exclude_copies` and `fetched` leave, page by page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Random } from '../../src/lib/random.ts';
import { asker, type Body, fixtureApp, type Query } from './fixture-app.ts';
import { buildFixture, type FixturePage, NEIGHBOR_LIMIT, temporaryFolder } from './fixture-index.ts';

const random = new Random(11);
const WORDS = Array.from({ length: 60 }, () =>
  String.fromCharCode(...Array.from({ length: 7 }, () => 97 + random.below(26))),
);
const text = (count: number) => Array.from({ length: count }, () => WORDS[random.below(60)]).join(' ');

const pages: FixturePage[] = [];
const add = (url: string, title: string, body: string) =>
  pages.push({ url, html: `<html lang="en"><title>${title}</title><p>${body}</p></html>` });

const own = text(200);
const ASKED = 'https://a.example/asked';
add(ASKED, 'The page', own);
add('https://b.example/print', 'Print of the page', own);
// A text that stands on ten sites: more than an index keeps neighbors of a page.
const mirrored = `${own.split(' ').slice(0, 120).join(' ')} ${text(80)}`;
const MIRRORS = Array.from({ length: 10 }, (_, i) => `https://mirror${i}.example/`);
for (const url of MIRRORS) add(url, `Mirror of ${url}`, mirrored);
// Two versions of one article of a site, some 0.7 alike, under one title and under two.
const versions = (site: string, titles: readonly [string, string]) => {
  const [first, last] = [text(170), text(30)];
  add(`https://${site}/v1`, titles[0], `${first} ${text(30)}`);
  add(`https://${site}/v2`, titles[1], `${first} ${last}`);
};
versions('one-title.example', ['An article', 'An article']);
versions('two-titles.example', ['An article', 'Another article']);
for (let i = 0; i < 6; i++) add(`https://single${i}.example/`, `Single ${i}`, text(200));
// Two pages that are linked to in the same words, of one of which these are all that is known; others in other words.
const anchors = ['zebra quagga okapi', 'zebra quagga okapi', 'tapir', 'dingo', 'numbat', 'wombat'];
const targets = ['https://unread.example/', ...[0, 1, 2, 3, 4].map((i) => `https://single${i}.example/`)];
for (const [i, url] of targets.entries()) {
  // So many words that they count (halfAnchorWords).
  const link = `<a href="${url}">${`${anchors[i]} `.repeat(20)}</a>`;
  add(`https://links${i}.example/`, `Links ${i}`, `${text(80)} ${link} ${text(80)}`);
}

const folder = temporaryFolder({ after });
const indexPath = join(folder, 'copies.akin');
await buildFixture(indexPath, pages, { minPageCount: 1, maxPageShare: 1 });
const ask = asker(await fixtureApp(indexPath));

const hostsOf = (body: Body): string[] => body.related.map((page: { url: string }) => new URL(page.url).host);
const count = (hosts: readonly string[], of: RegExp) => hosts.filter((host) => of.test(host)).length;

async function listed(query: Query = {}): Promise<string[]> {
  const { status, body } = await ask('/related', { url: ASKED, limit: 100, ...query });
  assert.equal(status, 200);
  return hostsOf(body);
}

test('without the parameter every copy is listed', async () => {
  const hosts = await listed();
  assert.equal(count(hosts, /^b\.example/), 1);
  assert.equal(count(hosts, /^mirror/), MIRRORS.length);
  assert.equal(count(hosts, /^one-title/), 2);
});

test('copies of the page and of an earlier result are left out, all else stays in order', async () => {
  const all = await listed();
  const hosts = await listed({ exclude_copies: true });
  assert.equal(count(hosts, /^b\.example/), 0);
  assert.equal(count(hosts, /^mirror/), 1);
  assert.equal(count(hosts, /^one-title/), 1, 'one title on one site');
  assert.equal(count(hosts, /^two-titles/), 2, 'less alike, and distinguished by their titles');
  assert.equal(count(hosts, /^single/), 6);
  const kept = all.filter(
    (host, i) =>
      host !== 'b.example' &&
      !(host.startsWith('mirror') && i !== all.findIndex((one) => one.startsWith('mirror'))),
  );
  const once = kept.filter((host, i) => host !== 'one-title.example' || kept.indexOf(host) === i);
  assert.deepEqual(hosts, once);
});

test('a list without copies is full where the stored one ends, and the same page by page', async () => {
  const whole = await listed({ exclude_copies: true });
  assert.ok(whole.length > NEIGHBOR_LIMIT && MIRRORS.length > NEIGHBOR_LIMIT);
  for (const limit of [1, 3, 5]) {
    const paged: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Query = { url: ASKED, limit, exclude_copies: true, ...(cursor && { cursor }) };
      const { body } = await ask('/related', query);
      if (body.next !== null) assert.equal(body.related.length, limit);
      paged.push(...hostsOf(body));
      cursor = body.next;
    } while (cursor !== null);
    assert.deepEqual(paged, whole, `by ${limit}`);
  }
});

test('filters go together: a page that is left out for its site hides no copy of another', async () => {
  const hosts = await listed({ exclude_copies: true, exclude: MIRRORS.slice(0, 9) });
  assert.equal(count(hosts, /^mirror9/), 1);
  assert.equal(count(await listed({ exclude_copies: true, max_per_site: 1 }), /^two-titles/), 1);
});

test('a posted document is treated as the page that it would be', async () => {
  const app = await fixtureApp(indexPath);
  const payload = { text: own, url: 'https://new.example/' };
  const answer = await app.inject({ method: 'POST', url: '/similar?exclude_copies=true&limit=100', payload });
  const hosts = hostsOf(answer.json());
  assert.equal(count(hosts, /^[ab]\.example/), 0);
  assert.equal(count(hosts, /^mirror/), 1);
});

test('the fragment leaves copies out unless asked otherwise, or asked for copies', async () => {
  const mirrors = async (query: Query) =>
    (await ask('/related.html', { url: ASKED, limit: 100, ...query })).text.match(/href="https:\/\/mirror/g)
      ?.length;
  assert.equal(await mirrors({}), 1);
  assert.equal(await mirrors({ exclude_copies: false }), MIRRORS.length);
  const { text: copies } = await ask('/related.html', { url: MIRRORS[0]!, by: 'copy' });
  assert.equal(copies.match(/href="https:\/\/mirror/g)?.length, MIRRORS.length - 1);
});

test('a result says whether it was read, and fetched=only lists no other', async () => {
  const unread = (body: Body) => body.related.filter(({ fetched }: { fetched: boolean }) => !fetched);
  const query = { url: 'https://single0.example/', limit: 100 };
  const { body: all } = await ask('/related', query);
  assert.deepEqual(hostsOf({ related: unread(all) }), ['unread.example']);
  const { body: read } = await ask('/related', { ...query, fetched: 'only' });
  assert.deepEqual(
    hostsOf(read),
    hostsOf(all).filter((host) => host !== 'unread.example'),
  );
  assert.notEqual(read.related.length, 0);
  const { body: copies } = await ask('/related', { url: MIRRORS[0]!, by: 'copy', fetched: 'only' });
  assert.equal(
    copies.related.every(({ fetched }: { fetched: boolean }) => fetched),
    true,
  );
});

test('an index without copies has none to leave out', async () => {
  const bare = join(folder, 'bare.akin');
  await buildFixture(bare, pages, { minPageCount: 1, maxPageShare: 1, copies: false });
  const app = await fixtureApp(bare);
  const path = `/related?url=${encodeURIComponent(ASKED)}&limit=100&exclude_copies=true`;
  assert.equal(count(hostsOf((await app.inject(path)).json()), /^mirror/), MIRRORS.length);
});
