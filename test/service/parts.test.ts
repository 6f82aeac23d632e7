/** What the service says of parts that are made of links and of features of one's own. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildIndex } from '../../src/indexer/build-index.ts';
import { IndexReader } from '../../src/store/read/reader.ts';
import { DEFAULTS, input, noting } from '../indexer/build.ts';
import { document, prose } from '../indexer/pages.ts';
import { plainSimilarity } from '../twins/plain-similarity.ts';
import { asker, fixtureApp } from './fixture-app.ts';
import { temporaryFolder } from './fixture-index.ts';

const HOST = 'https://parts.example/';
const PARTS = { content: 0.4, out: 0.2, in: 0.2, tags: 0.2 };
const TOPIC = 1;

/** Two pages for each of four hubs that link to them, and that they link back to; of two kinds by their tags. */
const HUBS = ['h0', 'h1', 'h2', 'h3'];
const LEAVES = HUBS.flatMap((hub) => [`${hub}a`, `${hub}b`]);

function record(name: string, title: string, links: readonly string[], seed: number, features?: object) {
  const anchors = links.map((to) => `<a href="${HOST}${to}">${to.replace(/\d/, 'q')}</a>`);
  const html = document(title, `<p>${prose(seed, 40, seed)} ${anchors.join(' ')}</p>`);
  return { url: `${HOST}${name}`, html, features };
}

const RECORDS = [
  ...HUBS.map((hub, i) => record(hub, `Hub ${i}`, [`${hub}a`, `${hub}b`, `h${(i + 1) % 4}a`], i)),
  ...LEAVES.map((leaf, i) =>
    record(leaf, i === 0 ? '' : `Leaf ${i}`, [leaf.slice(0, 2), 'h3'], 10 + i, {
      tags: { [i % 2 ? 'odd' : 'even']: 2 },
    }),
  ),
];

const folder = temporaryFolder({ after });
const target = join(folder, 'parts.akin');
writeFileSync(join(folder, 'p.jsonl'), RECORDS.map((one) => JSON.stringify(one)).join('\n'));
await buildIndex(
  { ...DEFAULTS, parts: PARTS, maxPageShare: 1, target, inputs: [input(join(folder, 'p.jsonl'))] },
  noting().listener,
);
const app = await fixtureApp(target);
const ask = asker(app);
const reader = IndexReader.open(target);
after(() => reader.close());

test('GET /page names the pages that links join by title and URL, and own features by name', async () => {
  const { body } = await ask('/page', { url: `${HOST}h1a` });
  const { terms } = body.bags[0];
  assert.deepEqual(Object.keys(terms), ['content', 'out', 'in', 'tags']);
  assert.deepEqual(terms.in.map(({ term, url }: { term: string; url: string }) => [term, url]).sort(), [
    ['Hub 0', `${HOST}h0`],
    ['Hub 1', `${HOST}h1`],
  ]);
  assert.deepEqual(
    terms.tags.map(({ term, url }: { term: string; url?: string }) => [term, url]),
    [['even', undefined]],
  );
});

test('why counts the pages that link to both, or that both link to, and no term is a URL', async () => {
  const { body } = await ask('/related', { url: `${HOST}h1a`, explain: true, limit: 20 });
  const links = (name: string) => {
    const page = reader.findPage(`${HOST}${name}`);
    const citers = [...reader.allLinks()].filter(({ targets }) => targets.includes(page));
    return { out: [...reader.links(page)], in: citers.map(({ pageId }) => pageId) };
  };
  const own = links('h1a');
  assert.ok(body.related.length > 3);
  for (const { url, why } of body.related) {
    const other = links(url.slice(HOST.length));
    const common = new Set([
      ...own.out.filter((id) => other.out.includes(id)),
      ...own.in.filter((id) => other.in.includes(id)),
    ]);
    // A page that all link to weighs nothing.
    const most = [...common].length;
    assert.ok(why.citation_count <= most, url);
    assert.equal(why.citations.length, Math.min(3, why.citation_count));
    for (const citation of why.citations) assert.ok(common.has(reader.findPage(citation)), citation);
    for (const { term, part } of why.terms) {
      assert.ok(!['out', 'in'].includes(part));
      assert.doesNotMatch(term, /example/);
    }
    const shown = why.terms.reduce((sum: number, { share }: { share: number }) => sum + share, 0);
    assert.ok(Math.abs(shown + why.remainder - 1) < 1e-6);
  }
  assert.ok(body.related.some(({ why }: { why: { citation_count: number } }) => why.citation_count > 0));
});

/** POST /similar with a JSON body. */
async function similar(payload: object, query = '') {
  const answer = await app.inject({
    method: 'POST',
    url: `/similar?exact=true&rank=similarity${query}`,
    payload,
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body) };
}

test('a posted page that is known gets the bag that the index holds, with links and features', async () => {
  for (const { url, html } of RECORDS) {
    const own = reader.findPage(url);
    const { body } = await similar({ html, url }, '&limit=100');
    for (const { url: other, similarity } of body.related) {
      const expected = plainSimilarity(reader.bag(TOPIC, own), reader.bag(TOPIC, reader.findPage(other)));
      assert.ok(Math.abs(similarity - expected) < 1e-6, `${url} ${other}`);
    }
    for (const { part } of body.terms) assert.ok(!['out', 'in'].includes(part));
  }
});

test('a new document is near by its links and features alone', async () => {
  const links = `<a href="${HOST}h2">x</a><a href="${HOST}h3" rel="nofollow">y</a>`;
  const byLinks = await similar({ html: `<p>zzz ${links}</p>`, base_url: HOST });
  const firsts = byLinks.body.related.slice(0, 2).map(({ url }: { url: string }) => url.slice(HOST.length));
  assert.deepEqual(firsts.sort(), ['h2a', 'h2b']);
  const byTags = await similar({ text: 'zzz', features: { tags: { odd: 1 }, unknown: { x: 1 } } });
  for (const { url } of byTags.body.related) assert.match(url, /b$/);
  assert.equal(byTags.body.related.length, 4);
  assert.deepEqual(
    byTags.body.terms.map(({ term, part }: { term: string; part: string }) => [term, part]),
    [['odd', 'tags']],
  );
});

test('features that cannot be used are refused by name', async () => {
  const { status, body } = await similar({ text: 'zzz', features: { tags: { odd: -1 } } });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body.errors), /the weight of \\"odd\\"|weight of/);
});
