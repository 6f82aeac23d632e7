/** What the service says of headings and pairs of words. */
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

const HOST = 'https://pairs.example/';
const TOPIC = 1;
const SUBJECTS = ['Machine learning', 'Operating systems', 'Garden roses'];

const RECORDS = SUBJECTS.flatMap((subject, s) =>
  [0, 1, 2].map((i) => ({
    url: `${HOST}${s}${i}`,
    html: document(
      `Page ${s}${i}`,
      `<h2>${subject} ${i}</h2><p>${prose(10 * s + i, 60, s)} ${subject}. ${subject}</p>`,
    ),
  })),
);

const folder = temporaryFolder({ after });
const target = join(folder, 'words.akin');
writeFileSync(join(folder, 'p.jsonl'), RECORDS.map((one) => JSON.stringify(one)).join('\n'));
await buildIndex(
  {
    ...DEFAULTS,
    parts: { content: 0.4, heading: 0.2, bigram: 0.4 },
    maxPageShare: 1,
    target,
    inputs: [input(join(folder, 'p.jsonl'))],
  },
  noting().listener,
);
const app = await fixtureApp(target);
const ask = asker(app);
const reader = IndexReader.open(target);
after(() => reader.close());

test('GET /page tells the words of each part, pairs as people write them', async () => {
  const { body } = await ask('/page', { url: `${HOST}10` });
  const { terms } = body.bags[0];
  assert.deepEqual(Object.keys(terms), ['content', 'heading', 'bigram']);
  const termsOf = (part: string) => terms[part].map(({ term }: { term: string }) => term);
  assert.deepEqual(termsOf('heading').sort(), ['operating', 'systems']);
  assert.ok(termsOf('bigram').includes('operating systems'), termsOf('bigram').join());
});

test('why names the pairs that two pages share', async () => {
  const { body } = await ask('/related', { url: `${HOST}00`, explain: true });
  const [first] = body.related;
  assert.match(first.url, /\/0\d$/);
  const shared = first.why.terms.map(({ term, part }: { term: string; part: string }) => `${part} ${term}`);
  assert.ok(shared.includes('bigram machine learning'), shared.join());
  assert.ok(shared.includes('heading machine'), shared.join());
});

test('a posted page gets the bag that the index holds, its text alone the pairs and no headings', async () => {
  const similar = async (payload: object) => {
    const url = '/similar?exact=true&rank=similarity&limit=100';
    return JSON.parse((await app.inject({ method: 'POST', url, payload })).body);
  };
  for (const { url, html } of RECORDS) {
    const own = reader.bag(TOPIC, reader.findPage(url));
    const { related } = await similar({ html });
    assert.equal(related[0].url, url);
    assert.equal(related[0].similarity, 1);
    for (const { url: other, similarity } of related) {
      const expected = plainSimilarity(own, reader.bag(TOPIC, reader.findPage(other)));
      assert.ok(Math.abs(similarity - expected) < 1e-6, `${url} ${other}`);
    }
  }
  const { terms, related } = await similar({ text: 'All of operating systems' });
  const parts = terms.map(({ term, part }: { term: string; part: string }) => `${part} ${term}`);
  assert.deepEqual(parts.sort(), ['bigram operating systems', 'content operating', 'content systems']);
  assert.deepEqual(
    new Set(related.slice(0, 3).map((page: { url: string }) => page.url.at(-2))),
    new Set(['1']),
  );
});
