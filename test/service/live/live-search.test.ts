/** Searches with pages that wait find what an index has into which they were built. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asker, fixtureApp, fixtureIndex, pathOf } from '../fixture-app.ts';
import { buildFixture, fixturePages, GARDEN, temporaryFolder } from '../fixture-index.ts';
import { recordIndexes } from '../record-indexes.ts';

const html = (title: string, text: string, lang: string) =>
  `<html lang="${lang}"><title>${title}</title><p>${text}</p></html>`;
const ADDED = [
  {
    url: 'https://new.example/a',
    html: html('Rose hedge', 'a rose hedge of thorn and trellis, zinnia', 'en'),
  },
  { url: 'https://new.example/b', html: html('Zinnia', 'The zinnias and the bread of a garden', 'de') },
  { url: `${GARDEN}new`, html: html('', 'thorn rose thorn rose hedge; sprocket zinnia bed', 'en') },
  { url: 'https://sub.new.example/c', html: html('Brot', 'dough dough zinnia thorn', 'de') },
];
const LIVE = { maxPending: 99, maxPendingBytes: 2 ** 24, share: 2, waitMs: 1e9, run: async () => false };
const QUERIES = [
  { q: 'zinnia ' },
  { q: 'zinn' },
  { q: 'rose hedge ' },
  { q: '"rose hedge"' },
  { q: '"hedge rose"' },
  { q: 'rose-hed' },
  { q: 'rose -thorn ' },
  { q: 'thorn site:new.example ' },
  { q: 'zinnia site:sub.new.example ' },
  { q: 'zinnia -site:sub.new.example ' },
  { q: 'thorn ', lang: 'de' },
  { q: 'rose tho', facets: ['site', 'lang'] },
  { q: 'zinnnia ' },
  { q: 'dough bread', limit: 50 },
];

test('searches, counts, facets and suggestions are those of an index of all the pages', async () => {
  const target = join(temporaryFolder({ after }), 'all.akin');
  await buildFixture(target, [...fixturePages(), ...ADDED]);
  const all = asker(await fixtureApp(target));
  const app = await fixtureApp(await fixtureIndex(), { live: LIVE });
  // Changed on the way.
  const [first] = ADDED;
  const put = (url: string, payload: object) =>
    app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload });
  await put(first!.url, { text: 'nothing but zebras' });
  for (const { url, html } of ADDED) await put(url, { html });
  const some = asker(app);
  for (const query of QUERIES) {
    const [expected, found] = [await all('/search', query), await some('/search', query)];
    const shown = ({ results, total, corrected, facets }: typeof found.body) => ({
      total,
      corrected,
      facets,
      results: results.map(({ url, snippet, title }: typeof found.body) => ({ url, snippet, title })),
    });
    assert.deepEqual(shown(found.body), shown(expected.body), query.q);
  }
  for (const q of ['zin', 'rose zin', 'ros', 'zebr']) {
    const [expected, found] = [await all('/search/suggest', { q }), await some('/search/suggest', { q })];
    assert.deepEqual(found.body.suggestions, expected.body.suggestions, q);
  }
});

test('words are suggested by the pages of the index and those that wait together', async () => {
  const word = (i: number) => `seed${String.fromCharCode(97 + i)}`;
  // The first word is on 40 pages, each other one on one page less.
  const page = (i: number) => ({
    url: `https://words.example/${i}`,
    text: Array.from({ length: 20 }, (_, rank) => (i < 40 - rank ? word(rank) : 'other')).join(' '),
  });
  const pages = Array.from({ length: 40 }, (_, i) => page(i));
  const waiting = Array.from({ length: 60 }, (_, i) => ({
    url: `https://new.example/${i}`,
    text: i < 32 ? word(18) : word(19),
  }));
  const { target } = await recordIndexes(temporaryFolder({ after })).build('words', pages);
  const app = await fixtureApp(target, { live: LIVE });
  for (const { url, text } of waiting)
    await app.inject({ method: 'PUT', url: pathOf('/pages', { url }), payload: { text } });
  const truth = Array.from({ length: 20 }, (_, rank) => ({
    text: word(rank),
    pages: [...pages, ...waiting].filter(({ text }) => text.split(' ').includes(word(rank))).length,
  })).sort((a, b) => b.pages - a.pages);
  for (const limit of [1, 2, 5, 10]) {
    const { suggestions } = (await asker(app)('/search/suggest', { q: 'seed', limit })).body;
    assert.deepEqual(suggestions, truth.slice(0, limit), `the first ${limit}`);
  }
});
